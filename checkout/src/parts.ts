import { formatMoment } from './format.ts'
import { html, type Fragment, type Html } from './html.ts'
import type { Language } from './languages.ts'
import { messagesFor } from './messages/catalogue.ts'
import type { Messages } from './messages/en.ts'
import type { Page } from './scene.ts'

/** The page and its texts, which every part of it is rendered from. */
export interface PageContext {
  page: Page
  words: Messages
}

export const contextOf = (page: Page): PageContext => ({ page, words: messagesFor(page.language) })

/** A time that the script converts to the payer's time zone. */
export const moment = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}" data-moment>${formatMoment(language, iso)}</time>`

interface Input {
  name: string
  label: Fragment
  hint?: Fragment
  /** Shown by the server or by the script when the value is invalid. */
  error: Fragment
  isInvalid: boolean
  attributes: Html
}

/** A labelled input with its hint and its error, both of which screen readers announce with it. */
export const field = ({ name, label, hint, error, isInvalid, attributes }: Input): Html =>
  html` <div class="field">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" ${attributes} ${describedBy(name, hint !== undefined, isInvalid)} />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${errorText(name, error, isInvalid)}
  </div>`

export const errorText = (name: string, error: Fragment, isInvalid: boolean): Html =>
  html`<p class="error" id="${name}-error" ${!isInvalid && html`hidden`}>${error}</p>`

export const describedBy = (name: string, hasHint: boolean, isInvalid: boolean): Html =>
  html`aria-describedby="${hasHint ? `${name}-hint ` : ''}${name}-error"${isInvalid && html` aria-invalid="true"`}`

export const notice = (text: Fragment): Html =>
  html`<p class="notice" role="alert" tabindex="-1" data-focus>${text}</p>`

export const hidden = (values: Readonly<Record<string, string | undefined>>): Html[] =>
  Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}" />`],
  )

const icons = {
  card: 'M3 6.5h18v11H3zM3 10h18',
  mobile_money: 'M8 3h8v18H8zM11 18h2',
  bank_transfer: 'M4 10h16M12 4l8 6H4zM6 10v7M10 10v7M14 10v7M18 10v7M4 19h16',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  failed: 'M7 7l10 10M17 7L7 17',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 .01 0',
  phone: 'M8 3h8v18H8zM11 18h2',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
} as const

export const icon = (name: keyof typeof icons): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${icons[name]}" /></svg>`

/** An animation that shows that the page is waiting; it is still for users who prefer reduced motion. */
export const pulse = (): Html => html`<span class="pulse" aria-hidden="true"><i></i><i></i><i></i></span>`
