/** Markup that is safe to insert into a page. Only `html` creates it, and `html` escapes every other value. */
export interface Html {
  readonly markup: string
}

export type Fragment = Html | string | number | false | null | undefined | readonly Fragment[]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')

export function html(strings: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  const parts = strings.map((text, index) => text + markupOf(values[index]))
  return { markup: parts.join('') }
}

function markupOf(value: Fragment): string {
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(markupOf).join('')
}

/** Inserts values into a translated sentence, each isolated from the sentence's text direction. */
export function fill(sentence: string, values: Readonly<Record<string, Fragment>>): Html {
  const parts = sentence.split(/\{(\w+)\}/)
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<bdi>${values[part] ?? ''}</bdi>`))}`
}

/** Does the same as plain text, for titles and attributes. */
export const fillText = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? '')
