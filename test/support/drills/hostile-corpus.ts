/** Text that tries to be more than text: for every place that shows foreign text. */
const ESC = '\u001b';
const BEL = '\u0007';

/** Lines of plain text: each must appear on the page unchanged. */
export const MARKUP = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(2)</script>',
  '<svg/onload=alert(3)><a href="javascript:alert(4)">x</a>',
  '--><style>*{display:none}</style><iframe srcdoc="<script>alert(5)</script>">',
  '&lt;b&gt; &#60;script&#62; {@html x} {{7*7}} ${7*7}',
];

/** What a terminal would interpret; only the words in between may be visible. */
export const CONTROLS = [
  `${ESC}]8;;javascript:alert(6)${ESC}\\a link${ESC}]8;;${ESC}\\`,
  `${ESC}]8;;data:text/html,<script>alert(7)</script>${BEL}another link${ESC}]8;;${BEL}`,
  `${ESC}]0;<img src=x onerror=alert(8)>${BEL}${ESC}]2;</title><script>alert(9)</script>${BEL}titled`,
  `${ESC}]52;c;cHduZWQ=${BEL}${ESC}[38;2;1;2;300;9999999999;58:2::1mcoloured${ESC}[0m`,
  `${ESC}P<script>alert(10)</script>${ESC}\\${ESC}_<b>${ESC}\\quoted`,
];

/** Text that reverses direction, stacks up, breaks out of JSON, or contains invisible characters. */
export const ODD = [
  'photo\u202egpj.exe\u202c \u2066isolated\u2069 \u200bzero\u200dwidth\ufeff',
  'مرحبا بالعالم שלום עולם',
  `a${'\u0301\u0316\u0334'.repeat(40)}b`,
  '"}],"x":[{"\\u0000\\ud800 \u2028\u2029 \\',
  `nul\u0000bell\u0007back\u0008tab\tvertical\u000bdelete\u007fnext\u0085`,
];

/** One word without a break opportunity. */
export const LONG_WORD = `long-${'W'.repeat(195)}`;

/** A megabyte of colours for one row of a terminal, and the text in it. */
export function megabyteOfColours(words: string): string {
  const codes = Array.from({ length: 50_000 }, (_, n) => {
    return `${ESC}[38;2;${n % 256};${(n * 7) % 256};${(n * 13) % 256};4:3m`;
  }).join('');
  return `${codes}${words}${ESC}[0m`;
}

/** Elements that text must never turn into. */
export const MADE_OF_TEXT = 'img, script, style, iframe, b, i, [onerror], [href^=javascript]';
