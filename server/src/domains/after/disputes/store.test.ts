import { beforeEach, describe, expect, it } from 'vitest'
import { isStaleVersion } from '../../../kernel/db/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { useDatabase } from '../../../../test/app/test-database.ts'
import type { BookedMove, Dispute } from './record.ts'
import {
  findDispute,
  findDisputeByProviderRef,
  insertDispute,
  insertMoves,
  selectDisputes,
  selectDueDisputes,
  selectMoves,
  selectOpenDisputesAcrossOrgs,
  selectOpenDisputesOf,
  selectWaitingDisputesAcrossOrgs,
  updateDispute,
} from './store.ts'

/** An organisation has many disputes. Each is read and changed alone. */
const hourMs = 60 * 60_000
const noon = new Date('2026-03-01T12:00:00Z')
const after = (ms: number): Date => new Date(noon.getTime() + ms)
const t = useDatabase()
let orgId: string
let accountId: string
beforeEach(() => {
  orgId = newId()
  accountId = newId()
})

async function opened(change: Partial<Dispute> = {}): Promise<Dispute> {
  const disputeId = newId()
  const dispute: Dispute = {
    orgId,
    disputeId,
    paymentId: newId(),
    provider: 'stripe',
    accountId,
    custody: 'pooled',
    providerRef: `theirs ${disputeId}`,
    state: 'needs_response',
    round: 1,
    reason: 'fraudulent',
    providerReason: '10.4',
    providerStatus: 'open',
    amountMinor: 25_00n,
    currency: 'GBP',
    dueBy: null,
    reportedAt: null,
    moves: 0,
    withdrawnMinor: 0n,
    pending: null,
    submittedAt: null,
    remindedAt: null,
    eventCount: 1,
    version: 1,
    createdAt: noon,
    updatedAt: noon,
    closedAt: null,
    ...change,
  }
  await t.db.batchInOrg(dispute.orgId, [insertDispute(dispute.orgId, dispute)])
  return dispute
}
const lost = { state: 'lost', closedAt: noon } as const
const stored = ({ disputeId }: Dispute): Promise<Dispute | undefined> =>
  t.db.inOrg(orgId, (tx) => findDispute(tx, orgId, disputeId))
const idsOf = (disputes: readonly { disputeId: string }[]): string[] =>
  disputes.map(({ disputeId }) => disputeId)

describe('a dispute', () => {
  it('is found by its id and by the name that the provider has for it', async () => {
    for (const dispute of [await opened(), await opened()]) {
      expect(await stored(dispute)).toEqual(dispute)
      const named = await t.db.inOrg(orgId, (tx) => findDisputeByProviderRef(tx, orgId, dispute))
      expect(named).toEqual(dispute)
    }
    expect(await t.db.inOrg(orgId, (tx) => findDispute(tx, orgId, newId()))).toBeUndefined()
  })

  it('is changed alone, by whoever has read its last version', async () => {
    const [one, other] = [await opened(), await opened()]
    const next = { ...one, providerStatus: 'mine', version: 2 }
    await t.db.batchInOrg(orgId, [updateDispute(orgId, 1, next)])
    expect([await stored(one), await stored(other)]).toEqual([next, other])
    const late = updateDispute(orgId, 1, { ...next, providerStatus: 'late' })
    await expect(t.db.batchInOrg(orgId, [late])).rejects.toSatisfy(isStaleVersion)
    expect(await stored(one)).toEqual(next)
  })

  it('has its own movements of money', async () => {
    const move = (moveNo: number, amountMinor: bigint): BookedMove => ({
      moveNo,
      amountMinor,
      currency: 'GBP',
      excessMinor: 0n,
      costMinor: 0n,
      costCurrency: 'GBP',
      exchangedMinor: null,
      exchangedCurrency: null,
    })
    const [one, other] = [await opened(), await opened()]
    const [moves, others] = [[move(1, 25_00n), move(2, 25_00n)], [move(1, 9_00n)]]
    await t.db.batchInOrg(orgId, [
      insertMoves(orgId, one.disputeId, moves),
      insertMoves(orgId, other.disputeId, others),
    ])
    const movesOf = ({ disputeId }: Dispute) => t.db.inOrg(orgId, (tx) => selectMoves(tx, orgId, disputeId))
    expect([await movesOf(one), await movesOf(other)]).toEqual([moves, others])
  })
})

describe('a dispute that is due', () => {
  it('is listed by its deadline until it has ended', async () => {
    const dueBy = after(hourMs)
    const due = await opened({ dueBy })
    await opened({ dueBy, ...lost })
    await opened()
    const any = { state: undefined, provider: undefined, paymentId: undefined }
    const page = { ...any, limit: 10, before: undefined }
    const dueBefore = (ms: number) =>
      t.db.inOrg(orgId, (tx) => selectDisputes(tx, orgId, { ...page, dueBefore: after(ms) }))
    expect(idsOf(await dueBefore(hourMs + 1))).toEqual([due.disputeId])
    expect(await dueBefore(hourMs)).toEqual([])
  })

  it('waits for the organisation, the most urgent one first', async () => {
    const later = await opened({ dueBy: after(2 * hourMs) })
    const sooner = await opened({ dueBy: after(hourMs), state: 'warning' })
    await opened({ dueBy: after(hourMs), state: 'under_review' })
    await opened({ dueBy: after(hourMs), ...lost })
    await opened()
    const dueBefore = async (ms: number) =>
      idsOf(await t.db.inOrg(orgId, (tx) => selectDueDisputes(tx, orgId, { before: after(ms), limit: 10 })))
    expect(await dueBefore(2 * hourMs + 1)).toEqual([sooner.disputeId, later.disputeId])
    expect(await dueBefore(2 * hourMs)).toEqual([sooner.disputeId])
  })
})

describe('an open dispute', () => {
  it('is one of its account, whoever has it', async () => {
    const one = await opened({ updatedAt: after(1) })
    const first = await opened({ orgId: newId() })
    await opened({ accountId: newId() })
    await opened(lost)
    const open = await t.db.acrossOrgs((tx) => selectOpenDisputesAcrossOrgs(tx, accountId, 10))
    expect(open).toEqual(
      [first, one].map((dispute) => ({
        orgId: dispute.orgId,
        disputeId: dispute.disputeId,
        providerRef: dispute.providerRef,
      })),
    )
  })

  it('is one of its payment', async () => {
    const [one, other] = [await opened(), await opened()]
    const ended = await opened(lost)
    await opened()
    const disputedOf = async (...disputes: Dispute[]) => {
      const paymentIds = disputes.map(({ paymentId }) => paymentId)
      const { rows } = await t.db.inOrg(orgId, (tx) => selectOpenDisputesOf(tx, orgId, paymentIds))
      return rows.map(({ paymentId }) => paymentId).toSorted()
    }
    expect(await disputedOf(one, other, ended)).toEqual([one.paymentId, other.paymentId].toSorted())
    expect(await disputedOf(one)).toEqual([one.paymentId])
    expect(await disputedOf()).toEqual([])
  })
})

it('a dispute waits for the outcome of its response, or for its reminder', async () => {
  const dueBy = after(hourMs)
  const pending = {
    action: 'submit',
    state: 'unknown',
    reference: newId(),
    userId: 'ann',
    startedAt: noon,
  } as const
  await opened()
  const answered = await opened({ pending })
  const due = await opened({ dueBy })
  const both = await opened({ dueBy, pending, orgId: newId() })
  await opened({ dueBy, remindedAt: noon })
  await opened({ dueBy, ...lost })
  const waiting = async (waitingFor: 'response' | 'reminder', from?: string) => {
    const found = await t.db.acrossOrgs((tx) => selectWaitingDisputesAcrossOrgs(tx, waitingFor, from, 100))
    return idsOf(found.filter((dispute) => dispute.accountId === accountId))
  }
  const [first = '', second = ''] = idsOf([answered, both]).toSorted()
  expect(await waiting('response')).toEqual([first, second])
  expect(await waiting('response', first)).toEqual([second])
  expect(await waiting('reminder')).toEqual(idsOf([due, both]).toSorted())
})
