import type { Amount } from '@switchyard/checkout/format.ts'
import type { Language } from '@switchyard/checkout/languages.ts'
import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import { isReason, type Notice, type ReceiptForm, type Scene } from '@switchyard/checkout/scene.ts'
import { maskEmail } from '../../../lib/text/masking.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import { returnReference } from '../../payments/actions/build-return-url.ts'
import { readDetails } from '../../payments/reads/read-details.ts'
import { lastAttempt, type LoadedPayment } from '../../payments/record.ts'
import { describeMethod, type MethodDeps } from './describe-method.ts'

export const amountOf = (money: Money): Amount => ({
  value: formatMinor(money.amountMinor, money.currency),
  currency: money.currency,
})

interface Ending {
  language: Language
  returnUrl: string | undefined
  retryUrl: string | undefined
  /** This browser made the payment. */
  isPayer: boolean
  paidAt: Date | null
  receipt: ReceiptForm | undefined
  notice: Notice | undefined
}

/** `failed` is shown only when it is certain that no money was taken. */
export async function presentEnding(deps: MethodDeps, loaded: LoadedPayment, ending: Ending): Promise<Scene> {
  const { payment } = loaded
  const { language, returnUrl, retryUrl, receipt, notice } = ending
  if (payment.status === 'completed' || payment.status === 'refunded')
    return {
      kind: 'done',
      amount: amountOf(payment.source),
      description: payment.description ?? '',
      reference: returnReference(payment),
      method: await describeMethod(deps, payment, ending),
      at: (ending.paidAt ?? paidAtOf(loaded))?.toISOString(),
      returnUrl,
      receipt,
      notice,
    }
  const code = payment.status === 'canceled' ? 'CANCELED' : (payment.failureCode ?? '')
  const reason = isReason(messagesFor(language), code) ? code : 'OTHER'
  return { kind: 'failed', reason, returnUrl, retryUrl }
}

/** When the provider reported it; a later refund changes the payment, but not this. */
export function paidAtOf(loaded: LoadedPayment): Date | undefined {
  const change = lastAttempt(loaded)?.stateChanges?.findLast(({ state }) => state === 'succeeded')
  return change && new Date(change.at)
}

/** Repeats to the payer what they typed; the link's own address is not theirs to see. */
export async function presentReceipt(
  deps: MethodDeps,
  { link, payment }: { link: PaymentLink; payment: LoadedPayment },
  form: { csrf: string; typed: string | undefined; isInvalid: boolean; isSent: boolean },
): Promise<ReceiptForm> {
  const { csrf, isInvalid, isSent } = form
  const known = link.email === null ? (await readDetails(deps, payment.payment)).payer?.email : undefined
  return {
    csrf,
    email: form.typed ?? known,
    fallback: link.email === null ? undefined : maskEmail(link.email),
    isSent,
    isInvalid,
  }
}
