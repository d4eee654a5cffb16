import { type Subject, subjectRef } from '../../shared/schema/events/subject.ts';

/** As stored; `data` is JSON. */
export interface StoredEvent {
  seq: number;
  at: string;
  type: string;
  subjectKind: Subject['kind'];
  subjectId: string;
  session: string | null;
  data: string;
}

/** The stored data is JSON already; the record is assembled around it. */
export function encodeEvent(event: StoredEvent) {
  const { seq, at, type, subjectKind: kind, subjectId: id, session, data } = event;
  const subject = { kind, id };
  const about = JSON.stringify(subject);
  const where = session === null ? '' : `,"session":"${session}"`;
  const json = `{"seq":${seq},"at":"${at}","type":"${type}","subject":${about}${where},"data":${data}}`;
  return { seq, type, subject: subjectRef(subject), session, json };
}
