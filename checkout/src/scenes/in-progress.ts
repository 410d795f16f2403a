import { formatIban, formatSortCode } from '../format.ts'
import { fill, html, type Html } from '../html.ts'
import { networkMark } from '../marks.ts'
import {
  amountText,
  field,
  hidden,
  icon,
  moment,
  notice,
  payButton,
  pulse,
  type PageContext,
} from '../parts.ts'
import type { Scene, TransferDetails } from '../scene.ts'

type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

const amountDue = (context: PageContext): string => amountText(context, context.page.request?.amount)

/** Cancels the payment at its provider if that is still possible; it never just abandons the payment. */
function leaveForm({ page, words }: PageContext, leave: { csrf: string } | undefined): Html | undefined {
  return (
    leave &&
    html`<form method="post" action="${page.path}/cancel" class="leave">
      ${hidden({ csrf: leave.csrf })}<button class="quiet" data-working="${words.working}">
        ${words.otherWay}
      </button>
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
      <p>${fill(context.words.redirectText, { amount: amountDue(context) })}</p>
    </div>
    <a class="primary" href="${scene.url}" rel="noreferrer" data-redirect>${context.words.continue}</a>
    ${leaveForm(context, scene.leave)}`

export const otpScene = (context: PageContext, scene: SceneOf<'otp'>): Html =>
  html` ${noticeOf(context, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${context.words.otpTitle}</h2>
      <p>${fill(context.words.otpText, { amount: amountDue(context) })}</p>
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
      ${payButton(context, context.words.confirm)}
    </form>
    ${leaveForm(context, scene.leave)}`

/** The provider's own text, such as a code to dial, which is in English in every language of the page. */
const providerHint = (hint: string | undefined): Html | undefined =>
  hint === undefined ? undefined : html`<p class="quote" lang="en" dir="auto">${hint}</p>`

export const promptScene = (context: PageContext, scene: SceneOf<'prompt'>): Html =>
  html` ${noticeOf(context, scene)}
    <div class="state">
      <span class="mark">${icon('phone')}</span>
      <h2>${context.words.promptTitle}</h2>
      <p>${fill(context.words.promptText, { amount: amountDue(context) })}</p>
      ${promptTarget(context, scene)} ${providerHint(scene.hint)} ${pulse()}
    </div>
    ${promptHelp(context, scene)}
    <p class="hint center">${context.words.closeHint}</p>
    ${leaveForm(context, scene.leave)}`

function promptTarget({ words }: PageContext, { phone, network }: SceneOf<'prompt'>): Html | undefined {
  if (phone === undefined) return undefined
  const number = html`<strong dir="ltr">${phone}</strong>`
  if (network === undefined) return html`<p class="target">${fill(words.promptPhone, { phone: number })}</p>`
  return html`<p class="target">
    ${networkMark(network.brand, network.name)}
    <span
      >${fill(words.promptNumber, { phone: number, network: html`<strong>${network.name}</strong>` })}</span
    >
  </p>`
}

const promptHelp = ({ words }: PageContext, { leave }: SceneOf<'prompt'>): Html =>
  html`<details class="help" open>
    <summary>${words.promptHelp}</summary>
    <ul>
      <li>${words.promptHelpSignal}</li>
      <li>${words.promptHelpWait}</li>
      ${leave && html`<li>${words.promptHelpNumber}</li>`}
    </ul>
  </details>`

export const transferScene = (context: PageContext, scene: SceneOf<'transfer'>): Html =>
  html` ${noticeOf(context, scene)}
    <h2>${context.words.transferTitle}</h2>
    <p>${fill(context.words.transferText, { amount: amountDue(context) })}</p>
    ${transferList(context, scene.details)}
    <button type="button" class="secondary" hidden data-copy-all data-copied="${context.words.copied}">
      ${context.words.copyAll}
    </button>
    ${
      scene.details.expires_at !== undefined &&
      html`<p class="hint">
        ${fill(context.words.transferBy, {
          time: moment(context.page.language, scene.details.expires_at),
        })}
      </p>`
    }
    <p class="await">${pulse()} ${context.words.waiting}</p>
    <p class="hint center">${context.words.closeHint}</p>
    ${leaveForm(context, scene.leave)}`

interface TransferRow {
  name: string
  label: string
  value: string | undefined
  /** What the button copies, if it differs from the text shown. */
  copied?: string | undefined
}

function transferList(context: PageContext, details: TransferDetails): Html {
  const { page, words } = context
  const { iban, sort_code: sortCode } = details
  const rows: TransferRow[] = [
    {
      name: 'exact_amount',
      label: words.exactAmount,
      value: amountDue(context) || undefined,
      copied: page.request?.amount?.value,
    },
    { name: 'account_name', label: words.accountName, value: details.account_name },
    { name: 'account_number', label: words.accountNumber, value: details.account_number },
    { name: 'iban', label: words.iban, value: iban && formatIban(iban), copied: iban },
    { name: 'sort_code', label: words.sortCode, value: sortCode && formatSortCode(sortCode) },
    { name: 'bank_name', label: words.bankName, value: details.bank_name },
    { name: 'bank_code', label: words.bankCode, value: details.bank_code },
    { name: 'reference', label: words.reference, value: details.reference },
  ]
  return html`<dl class="details">
    ${rows.map((row) => row.value !== undefined && transferRow(context, { ...row, value: row.value }))}
  </dl>`
}

const transferRow = (
  { words }: PageContext,
  { name, label, value, copied }: TransferRow & { value: string },
): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>
      <bdi id="${name}" dir="auto" ${copied !== undefined && html`data-value="${copied}"`}>${value}</bdi>
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
  </div>`

export const waitingScene = (context: PageContext, kind: 'checking' | 'elsewhere'): Html =>
  html` <div class="state">
    <span class="mark">${icon('clock')}</span>
    <h2>${kind === 'checking' ? context.words.checkingTitle : context.words.elsewhereTitle}</h2>
    <p>${kind === 'checking' ? context.words.checkingText : context.words.elsewhereText}</p>
    ${pulse()}
  </div>`
