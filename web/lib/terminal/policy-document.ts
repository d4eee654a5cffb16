/**
 * The document that the emulator builds its elements with, so that it keeps to the page's policy,
 * which forbids style elements and style attributes that are made at run time. The browser allows
 * both through its object model: style sheets are adopted, attributes are set as properties.
 */

/** Takes the page's document; gives one that acts as it does but for the elements it makes. */
export function policyDocument(page: Document): Document {
  function createElement(tag: string): HTMLElement {
    const element = page.createElement(tag);
    element.setAttribute = setAttribute;
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

function setAttribute(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
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
