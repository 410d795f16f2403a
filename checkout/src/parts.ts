import { formatAmount, formatMoment, type Amount } from './format.ts'
import { html, type Fragment, type Html } from './html.ts'
import type { Language } from './languages.ts'
import { messagesFor } from './messages/catalogue.ts'
import type { Messages } from './messages/en.ts'
import type { Page } from './scene.ts'

/** The page and its texts, from which every part is rendered. */
export interface PageContext {
  page: Page
  words: Messages
}

export const contextOf = (page: Page): PageContext => ({ page, words: messagesFor(page.language) })

export const amountText = ({ page }: PageContext, amount: Amount | undefined): string =>
  amount ? formatAmount(page.language, amount, page.country) : ''

/** A time that the script converts to the payer's time zone. */
export const moment = (language: Language, iso: string): Html =>
  html`<time datetime="${iso}" data-moment>${formatMoment(language, iso)}</time>`

interface Input {
  name: string
  label: Fragment
  hint?: Fragment
  /** Shown by the server or by the script when the value is invalid. */
  error: Fragment
  /** Shown instead if the value is missing and that needs a different text. */
  missing?: { error: string; isMissing: boolean }
  isInvalid: boolean
  /** Shown before the value but not part of it, such as a calling code. */
  prefix?: string | undefined
  /** Shown after the value. */
  mark?: Html
  attributes: Html
}

/** A labelled input with its hint and its error, both of which screen readers announce with it. */
export const field = (input: Input): Html =>
  html` <div class="field">
    <label for="${input.name}">${input.label}</label>
    ${inputBox(input)}
    ${input.hint !== undefined && html`<p class="hint" id="${input.name}-hint">${input.hint}</p>`}
    ${errorText(input.name, input.error, input.isInvalid, input.missing)}
  </div>`

function inputBox({ name, hint, prefix, mark, isInvalid, attributes }: Input): Html {
  const hints = [...(prefix === undefined ? [] : ['prefix']), ...(hint === undefined ? [] : ['hint'])]
  const box = html`<input id="${name}" name="${name}" ${attributes} ${describedBy(name, hints, isInvalid)} />`
  if (prefix === undefined && mark === undefined) return box
  return html`<div class="box">
    ${prefix !== undefined && html`<span class="prefix" id="${name}-prefix" dir="ltr">${prefix}</span>`}${box}${mark}
  </div>`
}

export function errorText(
  name: string,
  error: Fragment,
  isInvalid: boolean,
  missing?: Input['missing'],
): Html {
  const texts = missing && html`data-missing="${missing.error}" data-wrong="${error}"`
  const shown = missing?.isMissing === true ? missing.error : error
  return html`<p class="error" id="${name}-error" ${texts} ${!isInvalid && html`hidden`}>${shown}</p>`
}

export const describedBy = (name: string, hints: readonly string[], isInvalid: boolean): Html =>
  html`aria-describedby="${[...hints, 'error'].map((hint) => `${name}-${hint}`).join(' ')}"${isInvalid && html` aria-invalid="true"`}`

export const notice = (text: Fragment): Html =>
  html`<p class="notice" role="alert" tabindex="-1" data-focus>${text}</p>`

/** Lists the errors with a link to each field. The script fills in the same list when it finds an error. */
export function errorSummary(
  text: string,
  errors: readonly { name: string; error: Fragment; isInvalid: boolean }[],
): Html {
  const isShown = errors.some(({ isInvalid }) => isInvalid)
  return html`<div
    class="notice"
    role="alert"
    tabindex="-1"
    data-summary
    ${isShown ? html`data-focus` : html`hidden`}
  >
    <p>${text}</p>
    <ul>
      ${errors.map(
        ({ name, error, isInvalid }) =>
          html`<li data-for="${name}" ${!isInvalid && html`hidden`}><a href="#${name}">${error}</a></li>`,
      )}
    </ul>
  </div>`
}

/** A button that shows progress, and a message for when it takes long. Both need JavaScript. */
export const payButton = ({ words }: PageContext, label: Fragment): Html =>
  html`<button class="primary" data-working="${words.working}">${label}</button>
    <p class="hint center" role="status" data-slow="${words.slow}"></p>`

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
  alert: 'M12 4l9 16H3zM12 10v5M12 17.5v.01',
  info: 'M12 11v6M12 7.5v.01M12 3a9 9 0 1 0 .01 0',
  clock: 'M12 7v5l3 2M12 3a9 9 0 1 0 .01 0',
  phone: 'M8 3h8v18H8zM11 18h2',
  lock: 'M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3',
} as const

export const icon = (name: keyof typeof icons): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${icons[name]}" /></svg>`

/** An animation that shows that the page is waiting; it does not move for users who prefer reduced motion. */
export const pulse = (): Html => html`<span class="pulse" aria-hidden="true"><i></i><i></i><i></i></span>`
