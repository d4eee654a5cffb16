/** A mail server on a real port that keeps what it gets. It speaks as much SMTP as a sender needs. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers and body as sent. */
  data: string;
  /** User and password, when it logged in. */
  login: string | null;
}

export class SmtpSink {
  readonly mails: ReceivedMail[] = [];
  /** Refuses each login or recipient with this line. */
  refusesLogin: string | null = null;
  refusesRecipient: string | null = null;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<SmtpSink> {
    const server = createServer();
    const sink = new SmtpSink(server);
    server.on('connection', (socket) => void sink.#talk(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return sink;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #talk(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    const say = (line: string) => {
      if (socket.writable) socket.write(`${line}\r\n`);
    };
    let mail: ReceivedMail = { from: '', to: [], data: '', login: null };
    let data: string[] | null = null;
    say('220 sink');
    for await (const line of createInterface({ input: socket })) {
      if (data !== null) {
        if (line !== '.') data.push(line);
        else {
          this.mails.push({ ...mail, data: data.join('\n') });
          mail = { ...mail, from: '', to: [] };
          data = null;
          say('250 kept');
        }
        continue;
      }
      const [word = ''] = line.split(' ');
      if (word === 'EHLO') say('250-sink\r\n250 AUTH PLAIN');
      else if (word === 'AUTH') {
        mail.login = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .slice(1);
        say(this.refusesLogin ?? '235 welcome');
      } else if (word === 'MAIL') {
        mail.from = /<(.*)>/.exec(line)?.[1] ?? '';
        say('250 ok');
      } else if (word === 'RCPT') {
        if (this.refusesRecipient === null) mail.to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        say(this.refusesRecipient ?? '250 ok');
      } else if (word === 'DATA') {
        data = [];
        say('354 go ahead');
      } else say(word === 'QUIT' ? '221 bye' : '250 ok');
    }
  }
}
