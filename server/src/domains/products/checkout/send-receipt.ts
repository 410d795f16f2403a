import { formatAmount, formatMoment } from '@switchyard/checkout/format.ts'
import { fillText } from '@switchyard/checkout/html.ts'
import type { Language } from '@switchyard/checkout/languages.ts'
import { messagesFor } from '@switchyard/checkout/messages/catalogue.ts'
import { methodText } from '@switchyard/checkout/scenes/ended.ts'
import { AppError } from '../../../lib/errors.ts'
import { recordAudit } from '../../records/audit-log/record-audit.ts'
import type { LimitMails } from '../../people/notifications/limit-mails.ts'
import { queueNotification, sealNotice } from '../../people/notifications/queue-notification.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import { returnReference } from '../../payments/actions/build-return-url.ts'
import { privateContext, type LoadedPayment } from '../../payments/record.ts'
import { publicNameOf } from '../../people/organizations/rules.ts'
import { describeMethod, type MethodDeps } from './describe-method.ts'
import { merchantOf, payerOf, sceneKindOf } from './load-visit.ts'
import { amountOf, paidAtOf } from './present-ending.ts'
import type { Visit, VisitDeps, Visitor } from './record.ts'
import { readEmail } from './schema.ts'

export type ReceiptDeps = VisitDeps & MethodDeps & { limitMails: LimitMails }

type ReceiptResult = 'sent' | 'invalid' | 'limited' | 'refused'

/**
 * Mails a receipt to the address that the payer typed, or else to the link's. Only the browser that paid may ask, and
 * only a few times, so that the page cannot be used to mail strangers. Nothing in the mail is a text of the payer's.
 */
export async function sendReceipt(
  deps: ReceiptDeps,
  visit: Visit,
  visitor: Visitor,
  { email, language }: { email: string; language: Language },
): Promise<ReceiptResult> {
  const { link, payment, isPayer } = visit
  if (!payment || !isPayer || sceneKindOf(visit) !== 'done') return 'refused'
  const recipient = email.trim() === '' ? link.email : readEmail(email)
  if (recipient === null || recipient === undefined) return 'invalid'
  const { orgId, linkId } = link
  const variables = await variablesOf(deps, { link, payment }, language)
  const sealed = await sealNotice(deps.vault, orgId, {
    recipient,
    variables,
    subject: privateContext(payment.payment.paymentId),
  })
  const caller = payerOf(link, visitor.origin)
  try {
    await deps.db.inOrg(orgId, async (tx) => {
      await deps.limitMails(tx, orgId, recipient, linkId)
      const notice = { userId: null, template: 'payment-receipt', recipient: '', variables: {} } as const
      await queueNotification(tx, orgId, { ...notice, language, sealed }, visitor.origin.requestId)
      await recordAudit(tx, caller, orgId, {
        action: 'payment-link.send-receipt',
        resourceType: 'payment-link',
        resourceId: linkId,
      })
    })
    return 'sent'
  } catch (error) {
    if (error instanceof AppError && error.status === 429) return 'limited'
    throw error
  }
}

/** The same facts as the page shows. */
async function variablesOf(
  deps: ReceiptDeps,
  { link, payment }: { link: PaymentLink; payment: LoadedPayment },
  language: Language,
): Promise<Record<string, string>> {
  const { source, country } = payment.payment
  const organization = await merchantOf(deps, link.orgId)
  const method = await describeMethod(deps, payment.payment, { isPayer: true })
  const at = link.paidAt ?? paidAtOf(payment)
  const merchant = publicNameOf(organization)
  const words = messagesFor(language)
  return {
    subject: fillText(words.receiptSubject, { merchant }),
    greeting: words.receiptHello,
    text: fillText(words.receiptText, { merchant }),
    why: words.receiptWhy,
    merchantLabel: words.paidTo,
    orderLabel: words.order,
    amountLabel: words.amountPaid,
    methodLabel: words.paidWith,
    atLabel: words.paidAt,
    referenceLabel: words.reference,
    merchant,
    order: link.description,
    amount: formatAmount(language, amountOf(source), country),
    method: method ? methodText(words, method) : '',
    at: at ? formatMoment(language, at.toISOString()) : '',
    reference: returnReference(payment.payment),
  }
}
