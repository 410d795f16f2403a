import { fill, html, type Fragment, type Html } from '../html.ts'
import { amountText, field, hidden, icon, moment, notice, type PageContext } from '../parts.ts'
import type { PaidMethod, ReceiptForm, Scene } from '../scene.ts'

type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

interface Ending {
  mark: 'done' | 'failed' | 'clock' | 'info' | 'alert'
  title: string
  text: Fragment
  more?: Fragment
}

const ending = ({ mark, title, text, more }: Ending): Html =>
  html` <div class="state ${mark}" role="status">
    <span class="mark">${icon(mark)}</span>
    <h2>${title}</h2>
    <p>${text}</p>
    ${more}
  </div>`

export function doneScene(context: PageContext, scene: SceneOf<'done'>): Html {
  const { page, words } = context
  const merchant = page.merchant.name
  const text = scene.amount
    ? fill(words.doneText, { amount: amountText(context, scene.amount), merchant })
    : words.doneShort
  return html` ${scene.notice && notice(words[scene.notice])}
    ${ending({ mark: 'done', title: words.doneTitle, text })} ${receiptRows(context, scene)}
    ${
      scene.returnUrl === undefined
        ? html`<p class="hint center screen">${words.doneClose}</p>`
        : html`<a class="primary" href="${scene.returnUrl}" rel="noreferrer" data-return
            >${fill(words.returnTo, { merchant })}</a
          >`
    }
    ${scene.receipt && receiptForm(context, scene.receipt)}
    <button type="button" class="quiet" data-print hidden>${words.print}</button>`
}

/** The detail is Latin text and digits in every language, so it is isolated from the text around it. */
export const methodText = (words: PageContext['words'], { method, detail }: PaidMethod): string => {
  const label = { card: words.card, mobile_money: words.mobileMoney, bank_transfer: words.bankTransfer }[
    method
  ]
  return detail === undefined ? label : `${label}, \u2068${detail}\u2069`
}

function receiptRows(context: PageContext, scene: SceneOf<'done'>): Html {
  const { page, words } = context
  const rows: [label: string, value: Fragment][] = [
    [words.paidTo, page.merchant.name],
    [words.order, scene.description],
    [words.amountPaid, amountText(context, scene.amount)],
    [words.paidWith, scene.method && methodText(words, scene.method)],
    [words.paidAt, scene.at === undefined ? undefined : moment(page.language, scene.at)],
    [words.reference, scene.reference],
  ]
  return html`<dl class="details receipt">
    ${rows.map(
      ([label, value]) =>
        value !== undefined &&
        value !== '' &&
        html`<div>
          <dt>${label}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`,
    )}
  </dl>`
}

function receiptForm({ page, words }: PageContext, receipt: ReceiptForm): Html {
  if (receipt.isSent) return html`<p class="sent" role="status">${words.receiptSent}</p>`
  const { fallback } = receipt
  return html`<form method="post" action="${page.path}/receipt" class="send" novalidate data-stay>
    ${hidden({ csrf: receipt.csrf })}
    ${field({
      name: 'email',
      label: words.receiptEmail,
      ...(fallback !== undefined && { hint: fill(words.receiptFallback, { address: fallback }) }),
      error: words.invalidEmail,
      isInvalid: receipt.isInvalid,
      attributes: html`type="email" inputmode="email" autocomplete="email" maxlength="320"
      value="${receipt.email}" data-check="${fallback === undefined ? 'email' : 'email-or-none'}"`,
    })}
    <button class="secondary" data-working="${words.working}">${words.sendReceipt}</button>
  </form>`
}

/** Shown only when it is certain that no money was taken; an unknown outcome is still being confirmed. */
export function failedScene({ page, words }: PageContext, scene: SceneOf<'failed'>): Html {
  const merchant = page.merchant.name
  return html` ${ending({
    mark: 'failed',
    title: words.failedTitle,
    text: words.reasons[scene.reason],
    more: html`<p><strong>${words.notCharged}</strong></p>`,
  })}
  ${scene.retryUrl !== undefined && html`<a class="primary" href="${scene.retryUrl}">${words.tryAgain}</a>`}
  ${
    scene.returnUrl !== undefined &&
    html`<a class="quiet" href="${scene.returnUrl}" rel="noreferrer"
      >${fill(words.returnTo, { merchant })}</a
    >`
  }`
}

export const expiredScene = ({ page, words }: PageContext, scene: SceneOf<'expired'>): Html =>
  ending({
    mark: 'clock',
    title: words.expiredTitle,
    text: fill(words.expiredText, {
      time: moment(page.language, scene.at),
      merchant: page.merchant.name,
    }),
    more: html`<p><strong>${words.notCharged}</strong></p>`,
  })

type Plain = 'canceled' | 'none' | 'missing' | 'busy' | 'trouble'

/** None of these is a failed payment, so none shows the failure mark. */
const marks = { canceled: 'info', none: 'info', missing: 'info', busy: 'clock', trouble: 'alert' } as const

export function plainScene({ page, words }: PageContext, kind: Plain): Html {
  const text = fill(words[`${kind}Text`], { merchant: page.merchant.name })
  return ending({ mark: marks[kind], title: words[`${kind}Title`], text })
}
