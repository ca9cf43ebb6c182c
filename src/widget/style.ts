/**
 * Sizes are in em, so that the form follows the visitor's text size. Directions are logical, so that Arabic and Hebrew
 * mirror the form. `!important` on the host keeps the website's own rules out.
 */
const CSS = `
:host {
  all: initial !important;
  display: block !important;
}
:host([hidden]) {
  display: none !important;
}
.form {
  --surface: #fff;
  --ink: #1d2725;
  --soft: #55625f;
  --line: #83908c;
  --accent: #14675e;
  --on-accent: #fff;
  --danger: #a8291f;
  --wash: #fbeae7;
  color-scheme: light;
  box-sizing: border-box;
  max-inline-size: 40em;
  margin-inline: auto;
  padding: 1.5em;
  border: 1px solid var(--line);
  border-radius: 0.625em;
  background: var(--surface);
  color: var(--ink);
  font: 1em/1.6 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Arabic', 'Noto Sans Hebrew', Tahoma, Arial, sans-serif;
  text-align: start;
  overflow-wrap: break-word;
}
.form.dark {
  --surface: #1a2220;
  --ink: #e8eeec;
  --soft: #a8b5b1;
  --line: #7d8b87;
  --accent: #7fd3c6;
  --on-accent: #0b2622;
  --danger: #ff9d92;
  --wash: #3a1f1c;
  color-scheme: dark;
}
*, *::before, *::after {
  box-sizing: border-box;
}
[hidden] {
  display: none !important;
}
h2 {
  margin: 0 0 0.5em;
  font-size: 1.375em;
  line-height: 1.3;
}
h2:focus {
  outline: none;
}
p {
  margin: 0;
}
fieldset {
  min-inline-size: 0;
  margin: 0;
  padding: 0;
  border: 0;
}
.fields {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 14em), 1fr));
  gap: 0.75em 1em;
  margin: 0 0 1.25em;
}
legend {
  margin-block-end: 0.5em;
  padding: 0;
  font-weight: 700;
}
.wide {
  grid-column: 1 / -1;
}
label {
  display: block;
  margin-block-end: 0.25em;
}
small {
  color: var(--soft);
  font-size: 0.875em;
}
input, select, textarea {
  display: block;
  inline-size: 100%;
  min-block-size: 2.75em;
  margin: 0;
  padding: 0.5em 0.75em;
  border: 1px solid var(--line);
  border-radius: 0.375em;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
textarea {
  min-block-size: 6em;
  resize: vertical;
}
[dir='rtl'] input[dir='ltr'] {
  text-align: right;
}
[aria-invalid='true'] {
  border: 2px solid var(--danger);
}
:focus-visible {
  outline: 3px solid var(--accent);
  outline-offset: 2px;
}
.error {
  margin-block-start: 0.375em;
  color: var(--danger);
  font-size: 0.9375em;
}
.alert:not(:empty) {
  margin-block-end: 1em;
  padding: 0.75em 1em;
  border-inline-start: 4px solid var(--danger);
  border-radius: 0.375em;
  background: var(--wash);
}
.captcha {
  margin-block-end: 1em;
}
button {
  inline-size: 100%;
  min-block-size: 3em;
  padding: 0.5em 1.5em;
  border: 0;
  border-radius: 0.375em;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 700;
  cursor: pointer;
}
button[aria-disabled='true'] {
  opacity: 0.75;
  cursor: progress;
}
@media (forced-colors: active) {
  button {
    border: 1px solid;
  }
}
`

/**
 * A constructed style sheet: a Content-Security-Policy of the website does not apply to it. Safari before 16.4 and Firefox
 * before 101 have none.
 */
export const applyStyle = (root: ShadowRoot): void => {
  if (!('adoptedStyleSheets' in root)) {
    const style = document.createElement('style')
    style.textContent = CSS
    ;(root as ShadowRoot).append(style)
    return
  }
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CSS)
  root.adoptedStyleSheets = [sheet]
}

/** Follows the theme that the owner chose, or the visitor's. */
export const applyTheme = (form: HTMLElement, theme: 'light' | 'dark' | 'auto'): void => {
  const visitors = matchMedia('(prefers-color-scheme: dark)')
  const apply = (): void =>
    void form.classList.toggle('dark', theme === 'dark' || (theme === 'auto' && visitors.matches))
  apply()
  if (theme === 'auto') visitors.addEventListener('change', apply)
}
