import { describe, expect, test } from 'vitest'
import type { DisputeEvidence } from '../kit/disputes.ts'
import type { Reply } from '../kit/replies.ts'
import { flutterwaveChargebacks, readChargebacks } from './chargebacks.ts'
import type { FlutterwaveClient } from './client.ts'

const chargeback = {
  id: 12,
  amount: 40.5,
  status: 'pending',
  stage: 'new',
  comment: 'Not mine',
  due_date: '2026-04-01T00:00:00Z',
  tx_ref: 'ours',
}
const read = (more: object = {}) =>
  readChargebacks(
    Buffer.from(JSON.stringify({ event: 'chargeback.updated', data: { ...chargeback, ...more } })),
  )[0]

const replying = (reply: Reply) => {
  const calls: unknown[][] = []
  const client: FlutterwaveClient = (...call) => {
    calls.push(call)
    return Promise.resolve(reply)
  }
  return { calls, disputes: flutterwaveChargebacks(client) }
}
const handled = (data: unknown, meta: unknown = null): Reply => ({ kind: 'handled', data, meta })
const refused = (status: number, message = ''): Reply => ({
  kind: 'refused',
  status,
  words: [message],
  data: null,
})
const amount = { decimal: '40.5' }

describe('a chargeback', () => {
  test('is read whole', () => {
    expect(read()).toEqual({
      dedupeKey: 'webhook chargeback 12 new pending',
      providerRef: '12',
      payment: { reference: 'ours' },
      state: 'needs_response',
      round: 1,
      providerStatus: 'new pending',
      reason: 'general',
      providerReason: 'Not mine',
      amount,
      dueBy: new Date('2026-04-01T00:00:00Z'),
      hasEvidence: false,
    })
  })

  test.each([
    ['new', 'needs_response', undefined],
    ['initiated', 'needs_response', undefined],
    ['declined', 'under_review', undefined],
    ['accepted', 'accepted', { isWithdrawn: true, amount }],
    ['lost', 'lost', { isWithdrawn: true, amount }],
    ['won', 'won', { isWithdrawn: false, amount }],
    ['reversed', 'won', { isWithdrawn: false, amount }],
    ['of next year', undefined, undefined],
    ['toString', undefined, undefined],
  ])('%s is %s', (status, state, funds) => {
    expect([read({ status })?.state, read({ status })?.funds]).toEqual([state, funds])
    expect(read({ status })?.hasEvidence).toBe(state === 'under_review')
  })

  test.each([
    [null, 1, 'pending', 'webhook chargeback 12  pending'],
    ['second', 2, 'second pending', 'webhook chargeback 12 second pending'],
  ])('of the stage %s is of round %d', (stage, round, providerStatus, dedupeKey) => {
    expect(read({ stage })).toMatchObject({ round, providerStatus, dedupeKey })
  })

  test('may have neither a comment nor a date', () => {
    expect(read({ comment: null, due_date: null })).toMatchObject({ providerReason: '', dueBy: undefined })
  })

  test('is in no other event', () => {
    const other = { event: 'a chargeback.updated', data: chargeback }
    expect(readChargebacks(Buffer.from(JSON.stringify(other)))).toEqual([])
    expect(readChargebacks(Buffer.from('{'))).toEqual([])
  })
})

describe('a lookup', () => {
  test('finds the chargeback with the id in a list that may have others', async () => {
    const { calls, disputes } = replying(handled([{ ...chargeback, id: 11 }, chargeback]))
    expect(await disputes.inquireDispute!('12')).toMatchObject({
      kind: 'found',
      dispute: { providerRef: '12', dedupeKey: 'inquiry chargeback 12 new pending' },
    })
    expect(calls).toEqual([['/chargebacks?id=12']])
  })

  test.each([
    ['of others', handled([{ ...chargeback, id: 11 }]), { kind: 'not_found' }],
    ['that cannot be read', handled('nothing'), { kind: 'unknown', reason: 'no readable answer' }],
    ['that is refused with 404', refused(404), { kind: 'not_found' }],
    ['that is refused', refused(500), { kind: 'unknown' }],
  ])('that gets a list %s', async (_name, reply, inquiry) => {
    expect(await replying(reply).disputes.inquireDispute!('12')).toMatchObject(inquiry)
  })
})

describe('a list', () => {
  const meta = (total_pages: number) => ({ page_info: { total_pages } })

  test('begins with the first page and names the next', async () => {
    const { calls, disputes } = replying(handled([chargeback], meta(2)))
    const page = await disputes.listDisputes!(new Date('2026-03-01T12:00:00Z'), null)
    expect([page.disputes[0]?.dedupeKey, page.nextCursor]).toEqual(['inquiry chargeback 12 new pending', '2'])
    expect(calls).toEqual([['/chargebacks?from=2026-03-01&page=1']])
  })

  test('ends with the last page', async () => {
    const { calls, disputes } = replying(handled([], meta(2)))
    const page = await disputes.listDisputes!(new Date('2026-03-01T12:00:00Z'), '2')
    expect(page).toEqual({ disputes: [], nextCursor: null })
    expect(calls).toEqual([['/chargebacks?from=2026-03-01&page=2']])
  })

  test('that is refused is not empty', async () => {
    await expect(replying(refused(500)).disputes.listDisputes!(new Date(), null)).rejects.toThrow(
      'Flutterwave',
    )
  })
})

describe('a response', () => {
  const dispute = {
    providerRef: '1/2',
    reference: 'r',
    amount: { amountMinor: 40_50n, currency: 'NGN' },
    attemptReference: 'ours',
  }
  const evidence = (texts: DisputeEvidence['texts']) => ({ texts, files: [] })

  test('with evidence declines the chargeback, with its texts as the comment', async () => {
    const { calls, disputes } = replying(handled(chargeback))
    const outcome = await disputes.submitEvidence!(
      dispute,
      evidence({ shipping_carrier: 'Post', notes: 'Signed' }),
    )
    const dedupeKey = 'inquiry chargeback 12 new pending'
    expect(outcome).toMatchObject({ kind: 'accepted', dispute: { providerRef: '12', dedupeKey } })
    const body = { action: 'decline', comment: 'shipping_carrier: Post\nnotes: Signed' }
    expect(calls).toEqual([['/chargebacks/1%2F2', body, undefined, 'PUT']])
  })

  test('has at most 2,000 characters, and never none', async () => {
    const comments = async (texts: DisputeEvidence['texts']) => {
      const { calls, disputes } = replying(handled(chargeback))
      await disputes.submitEvidence!(dispute, evidence(texts))
      return Reflect.get(calls[0]?.[1] as object, 'comment') as string
    }
    expect(await comments({ notes: 'x'.repeat(3_000) })).toHaveLength(2_000)
    expect(await comments({})).toBe('The payment is valid; documents follow.')
  })

  test('may accept the chargeback', async () => {
    const { calls, disputes } = replying(handled(null))
    expect(await disputes.acceptDispute!(dispute)).toEqual({ kind: 'accepted', dispute: undefined })
    expect(calls[0]?.[1]).toEqual({ action: 'accept', comment: 'Accepted' })
  })

  test.each([
    [400, 'Wrong', 'declined'],
    [401, '', 'declined'],
    [403, '', 'declined'],
    [404, '', 'declined'],
    [400, 'It was already answered', 'unknown'],
    [409, '', 'unknown'],
  ])('refused with %d %s is %s', async (status, message, kind) => {
    expect((await replying(refused(status, message)).disputes.acceptDispute!(dispute)).kind).toBe(kind)
  })
})
