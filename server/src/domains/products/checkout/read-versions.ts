import type { Database } from '../../../kernel/db/database.ts'
import { readLinkVersions } from '../../parties/payment-links/read-versions.ts'
import type { PaymentLink } from '../../parties/payment-links/record.ts'
import type { Payment } from '../../payments/record.ts'
import { readPaymentVersions } from '../../payments/reads/reads.ts'
import type { PageSubject, Visit } from './record.ts'

export const keyOf = (subject: PageSubject): string =>
  'linkId' in subject ? `link ${subject.linkId}` : `payment ${subject.paymentId}`

type PaymentVersion = Pick<Payment, 'paymentId' | 'version'>
const versionOfLink = (link: Pick<PaymentLink, 'version'>, payment: PaymentVersion | undefined): string =>
  payment ? `${link.version} ${payment.paymentId} ${payment.version}` : `${link.version}`

export const versionOfVisit = ({ link, payment }: Visit): string => versionOfLink(link, payment?.payment)

export const versionOfPayment = ({ version }: Pick<Payment, 'version'>): string => `${version}`

/** What pages show changes only if these versions do. Two statements serve all pages of a process. */
export async function readVersions(
  db: Database,
  subjects: readonly PageSubject[],
): Promise<Map<string, string>> {
  const links = await readLinkVersions(
    db,
    subjects.flatMap((subject) => ('linkId' in subject ? [subject] : [])),
  )
  const behindLinks = links.flatMap(({ orgId, paymentId }) =>
    paymentId === null ? [] : [{ orgId, paymentId }],
  )
  const shown = subjects.flatMap((subject) => ('paymentId' in subject ? [subject] : []))
  const versions = await readPaymentVersions(db, [...behindLinks, ...shown])
  const paymentOf = (paymentId: string | null): PaymentVersion | undefined => {
    const version = paymentId === null ? undefined : versions.get(paymentId)
    return paymentId === null || version === undefined ? undefined : { paymentId, version }
  }
  return new Map([
    ...links.map((link) => [keyOf(link), versionOfLink(link, paymentOf(link.paymentId))] as const),
    ...shown.flatMap((subject) => {
      const payment = paymentOf(subject.paymentId)
      return payment ? [[keyOf(subject), versionOfPayment(payment)] as const] : []
    }),
  ])
}
