/**
 * The page's policy forbids style elements and style attributes created at run time, and the
 * emulator creates both. The browser allows the same through its object model: adopted style
 * sheets, and styles set as properties. A violation is harmless (the browser does not apply it, so
 * the text is not coloured) and fails every browser test.
 */
import type { Terminal } from '@xterm/xterm';

/** A document whose elements adopt style elements that are appended to them. */
export function policyDocument(page: Document): Document {
  function createElement(tag: string): HTMLElement {
    const element = page.createElement(tag);
    element.appendChild = appendChild;
    return element;
  }
  return new Proxy(page, {
    get(target, key) {
      if (key === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A style element is never added to the page: an adopted sheet replaces it. */
function appendChild<Child extends Node>(this: HTMLElement, child: Child): Child {
  if (child instanceof HTMLStyleElement) adoptStyle(child);
  else Node.prototype.appendChild.call(this, child);
  return child;
}

function adoptStyle(element: HTMLStyleElement): void {
  const sheet = new CSSStyleSheet();
  let text = element.textContent;
  sheet.replaceSync(text);
  document.adoptedStyleSheets.push(sheet);
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (changed: string) => {
      text = changed;
      sheet.replaceSync(changed);
    },
  });
  element.remove = () => {
    const sheets = document.adoptedStyleSheets;
    document.adoptedStyleSheets = sheets.filter((other) => other !== sheet);
  };
}

/** The private path to the row factory, which accepts no document from outside. */
interface Internals {
  _core?: { _renderService?: { _renderer?: { value?: { _rowFactory?: RowFactory } } } };
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/** `terminal` must be open. Colours beyond the palette are set as properties from now on. */
export function keepRowsToPolicy(terminal: Terminal): void {
  const { _core: core } = terminal as unknown as Internals;
  const rows = core?._renderService?._renderer?.value?._rowFactory;
  if (rows === undefined) return;
  rows._addStyle = (element, style) => {
    element.style.cssText += style;
  };
}
