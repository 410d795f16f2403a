import { assertCovered } from '@switchyard/server/kernel/ledger/available.ts'
import {
  account,
  held,
  insertTransfers,
  posted,
  type Transfer,
} from '@switchyard/server/kernel/ledger/transfers.ts'
import { newId } from '@switchyard/server/lib/ids.ts'

export const currency = 'UGX'
export const hotAccount = account.available('pooled')
export const guardedAccount = account.virtual('hot')

/** What a transaction of a case writes. */
export const kinds = {
  /** A payin: only inserts, so it waits for nobody. */
  credit: (orgId: string, count: number) => [insertTransfers(orgId, several(count, payin))],
  /** A payout's hold, which the balance must cover: the debits of one account commit one after the other. */
  debit: (orgId: string, count: number) => [
    insertTransfers(orgId, several(count, hold)),
    assertCovered(orgId, { account: hotAccount, currency }),
  ],
  /** A debit of a virtual account, whose balance is a row. */
  guarded: (orgId: string, count: number) => [insertTransfers(orgId, several(count, withdrawal))],
} as const

export interface LedgerCase {
  name: string
  kind: keyof typeof kinds
  organizations: number
  /** Transfers per transaction. */
  perCall: number
}

const spread = 100
const manyPerCall = 100

export const ledgerCases: readonly LedgerCase[] = [1, manyPerCall].flatMap((perCall) => [
  { name: `payins of ${spread} organisations`, kind: 'credit' as const, organizations: spread, perCall },
  { name: 'payins of one account', kind: 'credit' as const, organizations: 1, perCall },
  { name: 'covered debits of one account', kind: 'debit' as const, organizations: 1, perCall },
  { name: 'debits of one guarded account', kind: 'guarded' as const, organizations: 1, perCall },
])

const several = (count: number, make: () => Transfer): Transfer[] => Array.from({ length: count }, make)

const payin = (): Transfer =>
  posted({
    causeId: newId(),
    kind: 'payin',
    debit: account.provider('pawapay', null),
    credit: hotAccount,
    currency,
    amountMinor: 5n,
  })

const hold = (): Transfer =>
  held({
    causeId: newId(),
    kind: 'payout.hold',
    debit: hotAccount,
    credit: account.outgoing,
    currency,
    amountMinor: 2n,
  })

const withdrawal = (): Transfer =>
  posted({
    causeId: newId(),
    kind: 'va.withdrawal',
    debit: guardedAccount,
    credit: hotAccount,
    currency,
    amountMinor: 1n,
  })

/** More than any case can spend. */
const openingMinor = 10n ** 15n

export const openings = (): Transfer[] =>
  [hotAccount, guardedAccount].map((credit) =>
    posted({
      causeId: newId(),
      kind: 'opening',
      debit: account.opening,
      credit,
      currency,
      amountMinor: openingMinor,
    }),
  )
