/**
 * The page's policy forbids style elements and style attributes that are made at run time, and the
 * emulator makes both. The browser allows the same through its object model: style sheets are
 * adopted, and an element's style is set as a property. A breach is harmless (the browser does not
 * apply it, and what it coloured is plain) and fails every browser test.
 */
import type { Terminal } from '@xterm/xterm';

/** Takes the page's document; gives one whose elements adopt style elements put into them. */
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

/** A style element never gets into the page: a sheet stands for it. */
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

/** The way to what makes the rows, which takes no document from outside. Not a public one. */
interface Internals {
  _core?: { _renderService?: { _renderer?: { value?: { _rowFactory?: RowFactory } } } };
}

interface RowFactory {
  _addStyle: (element: HTMLElement, style: string) => void;
}

/** Takes an open emulator; colours beyond the palette are set as properties from now on. */
export function keepRowsToPolicy(terminal: Terminal): void {
  const { _core: core } = terminal as unknown as Internals;
  const rows = core?._renderService?._renderer?.value?._rowFactory;
  if (rows === undefined) return;
  rows._addStyle = (element, style) => {
    element.style.cssText += style;
  };
}
