import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { listIdentifiers } from '../../compliance/sanctions/matches/list-identifiers.ts'
import type { Parties, ScreeningDeps } from '../../compliance/sanctions/matches/record.ts'
import { screenAgain } from '../../compliance/sanctions/matches/screen-subjects.ts'
import type { SubjectPage, SubjectRow } from '../../compliance/sanctions/runs/record.ts'
import { readDetails } from './read-details.ts'
import type { Payment, PrivateDetails } from '../record.ts'
import { selectRecentDetailsAcrossOrgs } from '../store.ts'

/**
 * The counterparty of a payment: its payer or its payee. A payee who is no beneficiary, as in some ramps, is known by the
 * payment, as a payer is.
 */
export function partiesOf(
  {
    paymentId,
    beneficiaryId,
    country,
    direction,
  }: Pick<Payment, 'paymentId' | 'beneficiaryId' | 'country' | 'direction'>,
  { payer, mobileMoney, payerAccount, bankAccount, payee, wallet }: PrivateDetails,
  cardHolder?: string,
): Parties {
  const isPaid = direction === 'outbound' || (direction === 'external' && payee !== undefined)
  const names = isPaid
    ? [payee?.name, payee?.bankAccount?.accountName]
    : [payer?.name, payerAccount?.accountName, cardHolder]
  const subject =
    isPaid && beneficiaryId !== null
      ? ({ kind: 'beneficiary', subjectId: beneficiaryId } as const)
      : ({ kind: 'payer', subjectId: paymentId } as const)
  const known = names.flatMap((name) => (name === undefined || name === '' ? [] : [name]))
  return {
    subjects: [...new Set(known)].map((name) => ({
      ...subject,
      person: { name, ...(isPaid && { country }) },
    })),
    // Those of the counterparty alone: a confirmed match blocks them, and the other side is the organisation itself.
    identifiers: isPaid
      ? listIdentifiers({
          country,
          accounts: [bankAccount, payee?.bankAccount],
          phones: [mobileMoney?.phoneNumber, payee?.phone, payee?.mobileMoney?.phoneNumber],
          emails: [payee?.email],
          wallets: [wallet?.address, payee?.wallet?.address],
        })
      : listIdentifiers({
          country,
          accounts: [payerAccount],
          phones: [payer?.phone, mobileMoney?.phoneNumber],
          emails: [payer?.email],
          wallets: [wallet?.address],
        }),
  }
}

/** Before an attempt, a leg or a refund that is not sent with the request for the payment. */
export const screenPaymentAgain = (deps: ScreeningDeps & SubjectDeps, payment: Payment): Promise<void> =>
  screenAgain(deps, { orgId: payment.orgId, subjectId: payment.paymentId }, async () =>
    partiesOf(payment, await openPayer(deps, payment)),
  )

/** Whoever paid earlier is screened when they pay again. */
const recentMs = 30 * 24 * 60 * 60_000

interface SubjectDeps {
  db: Database
  vault: Vault
  clock: Clock
  log: Log
}

/** The payers of the last 30 days. Details that cannot be opened are reported elsewhere and are not screened. */
export async function listPayerSubjects(deps: SubjectDeps, page: SubjectPage): Promise<SubjectRow[]> {
  const since = new Date(deps.clock.now().getTime() - recentMs)
  const rows = await deps.db.acrossOrgs((tx) => selectRecentDetailsAcrossOrgs(tx, { ...page, since }))
  return Promise.all(
    rows.map(async (row) => ({
      orgId: row.orgId,
      id: row.paymentId,
      ...partiesOf(row, await openPayer(deps, row)),
    })),
  )
}

const openPayer = (
  deps: SubjectDeps,
  payment: Pick<Payment, 'orgId' | 'paymentId' | 'privateSealed'>,
): Promise<PrivateDetails> =>
  readDetails(deps, payment, () =>
    deps.log.error(
      { orgId: payment.orgId, paymentId: payment.paymentId },
      'the payer of a payment cannot be screened',
    ),
  )
