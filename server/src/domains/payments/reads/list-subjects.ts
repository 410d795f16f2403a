import type { Database } from '../../../kernel/db/database.ts'
import type { Vault } from '../../../kernel/db/vault.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { Subject } from '../../compliance/sanctions/matches/record.ts'
import type { SubjectPage, SubjectRow } from '../../compliance/sanctions/runs/record.ts'
import { readDetails } from './read-details.ts'
import type { Payment, PrivateDetails } from '../record.ts'
import { selectRecentDetailsAcrossOrgs } from '../store.ts'

/** The counterparty of a payment: its payer or its payee. */
export function subjectsOf(
  {
    paymentId,
    beneficiaryId,
    country,
    direction,
  }: Pick<Payment, 'paymentId' | 'beneficiaryId' | 'country' | 'direction'>,
  { payer, payerAccount, payee }: PrivateDetails,
): Subject[] {
  const payers = [payer?.name, payerAccount?.accountName].map((name) => ({ kind: 'payer' as const, name }))
  const payees = [payee?.name, payee?.bankAccount?.accountName].map((name) => ({
    kind: 'beneficiary' as const,
    name,
  }))
  const people = direction === 'inbound' ? payers : payees
  const seen = new Set<string>()
  return people.flatMap(({ kind, name }) => {
    const subjectId = kind === 'payer' ? paymentId : beneficiaryId
    if (name === undefined || subjectId === null || seen.has(name)) return []
    seen.add(name)
    return [{ kind, subjectId, person: { name, ...(kind === 'beneficiary' && { country }) } }]
  })
}

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
      subjects: subjectsOf(row, await openPayer(deps, row)),
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
