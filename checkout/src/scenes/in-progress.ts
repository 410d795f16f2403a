import { formatAmount } from '../format.ts'
import { fill, html, type Html } from '../html.ts'
import { field, hidden, icon, moment, notice, pulse, type Writing } from '../parts.ts'
import type { Scene, TransferDetails } from '../scene.ts'

type Of<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

const amountText = ({ page }: Writing): string =>
  page.request?.amount ? formatAmount(page.language, page.request.amount) : ''

/** Withdraws the payment at its provider, if that still can; never merely forgets it. */
function leaveForm({ page, words }: Writing, leave: { csrf: string } | undefined): Html | undefined {
  return (
    leave &&
    html`<form method="post" action="${page.path}/cancel" class="leave">
      ${hidden({ csrf: leave.csrf })}<button class="quiet">${words.otherWay}</button>
    </form>`
  )
}

const noticeOf = (
  { words }: Writing,
  scene: Of<'redirect' | 'otp' | 'prompt' | 'transfer'>,
): Html | undefined => scene.notice && notice(words[scene.notice])

export const redirectScene = (writing: Writing, scene: Of<'redirect'>): Html =>
  html` ${noticeOf(writing, scene)}
    <div class="state">
      <span class="mark">${icon('lock')}</span>
      <h2>${writing.words.redirectTitle}</h2>
      <p>${fill(writing.words.redirectText, { amount: amountText(writing) })}</p>
    </div>
    <a class="primary" href="${scene.url}" rel="noreferrer" data-redirect>${writing.words.continue}</a>
    ${leaveForm(writing, scene.leave)}`

export const otpScene = (writing: Writing, scene: Of<'otp'>): Html =>
  html` ${noticeOf(writing, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${writing.words.otpTitle}</h2>
      <p>${fill(writing.words.otpText, { amount: amountText(writing) })}</p>
      ${providerHint(scene.hint)}
    </div>
    <form method="post" action="${writing.page.path}/otp" novalidate data-pay>
      ${hidden({ csrf: scene.csrf })}
      ${field({
        name: 'otp',
        label: writing.words.otpLabel,
        error:
          scene.triesLeft === undefined
            ? writing.words.invalidOtp
            : fill(writing.words.otpWrong, { count: String(scene.triesLeft) }),
        isInvalid: scene.isInvalid,
        attributes: html`class="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12"
        dir="ltr" data-check="otp" ${scene.isInvalid && html`autofocus`}`,
      })}
      <button class="primary" data-working="${writing.words.working}">${writing.words.confirm}</button>
    </form>
    ${leaveForm(writing, scene.leave)}`

/** The provider's own words, such as a code to dial: in its language, whatever the page's. */
const providerHint = (hint: string | undefined): Html | undefined =>
  hint === undefined ? undefined : html`<p class="quote" lang="en" dir="auto">${hint}</p>`

export const promptScene = (writing: Writing, scene: Of<'prompt'>): Html =>
  html` ${noticeOf(writing, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${writing.words.promptTitle}</h2>
      <p>${fill(writing.words.promptText, { amount: amountText(writing) })}</p>
      ${providerHint(scene.hint)} ${pulse()}
    </div>
    ${leaveForm(writing, scene.leave)}`

export const transferScene = (writing: Writing, scene: Of<'transfer'>): Html =>
  html` ${noticeOf(writing, scene)}
    <h2>${writing.words.transferTitle}</h2>
    <p>${fill(writing.words.transferText, { amount: amountText(writing) })}</p>
    ${transferList(writing, scene.details)}
    ${
      scene.details.expires_at !== undefined &&
      html`<p class="hint">
        ${fill(writing.words.transferBy, {
          time: moment(writing.page.language, scene.details.expires_at),
        })}
      </p>`
    }
    <p class="await">${pulse()} ${writing.words.waiting}</p>
    ${leaveForm(writing, scene.leave)}`

function transferList({ words }: Writing, details: TransferDetails): Html {
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

export const waitingScene = (writing: Writing, kind: 'checking' | 'elsewhere'): Html =>
  html` <div class="state">
    <span class="mark">${icon('clock')}</span>
    <h2>${kind === 'checking' ? writing.words.checkingTitle : writing.words.elsewhereTitle}</h2>
    <p>${kind === 'checking' ? writing.words.checkingText : writing.words.elsewhereText}</p>
    ${pulse()}
  </div>`
