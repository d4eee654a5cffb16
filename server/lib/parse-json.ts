/** Of text that another party wrote; undefined, which no JSON is, when it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
