import { formatAmount } from '../format.ts'
import { fill, html, type Html } from '../html.ts'
import { field, hidden, icon, moment, notice, pulse, type PageContext } from '../parts.ts'
import type { Scene, TransferDetails } from '../scene.ts'

type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

const amountText = ({ page }: PageContext): string =>
  page.request?.amount ? formatAmount(page.language, page.request.amount) : ''

/** Cancels the payment at its provider if that is still possible; it never just abandons the payment. */
function leaveForm({ page, words }: PageContext, leave: { csrf: string } | undefined): Html | undefined {
  return (
    leave &&
    html`<form method="post" action="${page.path}/cancel" class="leave">
      ${hidden({ csrf: leave.csrf })}<button class="quiet">${words.otherWay}</button>
    </form>`
  )
}

const noticeOf = (
  { words }: PageContext,
  scene: SceneOf<'redirect' | 'otp' | 'prompt' | 'transfer'>,
): Html | undefined => scene.notice && notice(words[scene.notice])

export const redirectScene = (context: PageContext, scene: SceneOf<'redirect'>): Html =>
  html` ${noticeOf(context, scene)}
    <div class="state">
      <span class="mark">${icon('lock')}</span>
      <h2>${context.words.redirectTitle}</h2>
      <p>${fill(context.words.redirectText, { amount: amountText(context) })}</p>
    </div>
    <a class="primary" href="${scene.url}" rel="noreferrer" data-redirect>${context.words.continue}</a>
    ${leaveForm(context, scene.leave)}`

export const otpScene = (context: PageContext, scene: SceneOf<'otp'>): Html =>
  html` ${noticeOf(context, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${context.words.otpTitle}</h2>
      <p>${fill(context.words.otpText, { amount: amountText(context) })}</p>
      ${providerHint(scene.hint)}
    </div>
    <form method="post" action="${context.page.path}/otp" novalidate data-pay>
      ${hidden({ csrf: scene.csrf })}
      ${field({
        name: 'otp',
        label: context.words.otpLabel,
        error:
          scene.triesLeft === undefined
            ? context.words.invalidOtp
            : fill(context.words.otpWrong, { count: String(scene.triesLeft) }),
        isInvalid: scene.isInvalid,
        attributes: html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12"
        dir="ltr" data-check="otp" ${scene.isInvalid && html`autofocus`}`,
      })}
      <button class="primary" data-working="${context.words.working}">${context.words.confirm}</button>
    </form>
    ${leaveForm(context, scene.leave)}`

/** The provider's own text, such as a code to dial, which is in English whatever the page's language is. */
const providerHint = (hint: string | undefined): Html | undefined =>
  hint === undefined ? undefined : html`<p class="quote" lang="en" dir="auto">${hint}</p>`

export const promptScene = (context: PageContext, scene: SceneOf<'prompt'>): Html =>
  html` ${noticeOf(context, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${context.words.promptTitle}</h2>
      <p>${fill(context.words.promptText, { amount: amountText(context) })}</p>
      ${providerHint(scene.hint)} ${pulse()}
    </div>
    ${leaveForm(context, scene.leave)}`

export const transferScene = (context: PageContext, scene: SceneOf<'transfer'>): Html =>
  html` ${noticeOf(context, scene)}
    <h2>${context.words.transferTitle}</h2>
    <p>${fill(context.words.transferText, { amount: amountText(context) })}</p>
    ${transferList(context, scene.details)}
    ${
      scene.details.expires_at !== undefined &&
      html`<p class="hint">
        ${fill(context.words.transferBy, {
          time: moment(context.page.language, scene.details.expires_at),
        })}
      </p>`
    }
    <p class="await">${pulse()} ${context.words.waiting}</p>
    ${leaveForm(context, scene.leave)}`

function transferList({ words }: PageContext, details: TransferDetails): Html {
  const rows: [name: string, label: string, value: string | undefined][] = [
    ['account_name', words.accountName, details.account_name],
    ['account_number', words.accountNumber, details.account_number],
    ['iban', words.iban, details.iban],
    ['sort_code', words.sortCode, details.sort_code],
    ['bank_name', words.bankName, details.bank_name],
    ['bank_code', words.bankCode, details.bank_code],
    ['reference', words.reference, details.reference],
  ]
  return html`<dl class="details">
    ${rows.map(
      ([name, label, value]) =>
        value !== undefined &&
        html`<div>
          <dt>${label}</dt>
          <dd>
            <bdi id="${name}" dir="auto">${value}</bdi>
            <button
              type="button"
              class="copy"
              hidden
              data-copy="${name}"
              data-copied="${words.copied}"
              aria-label="${words.copy}: ${label}"
            >
              ${words.copy}
            </button>
          </dd>
        </div>`,
    )}
  </dl>`
}

export const waitingScene = (context: PageContext, kind: 'checking' | 'elsewhere'): Html =>
  html` <div class="state">
    <span class="mark">${icon('clock')}</span>
    <h2>${kind === 'checking' ? context.words.checkingTitle : context.words.elsewhereTitle}</h2>
    <p>${kind === 'checking' ? context.words.checkingText : context.words.elsewhereText}</p>
    ${pulse()}
  </div>`
