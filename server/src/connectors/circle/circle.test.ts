import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { HttpCall } from '../kit/http-client.ts'
import { attemptOf, circle, deposit, sentId, usd, wallet, wire, wireId } from './testing/circle-answers.ts'

describe('deposits by wire', () => {
  const pollProvider = (deposits: object[], status = 'complete') =>
    circle({ [`GET /banks/wires/${wireId}`]: wire(status), 'GET /deposits': deposits }).connector.inquire(
      attemptOf(),
    )
  const received = (amountMinor: bigint) => ({ received: { amountMinor, currency: 'USD' } })

  it.each([
    ['nothing', [], 'pending', 0n],
    ['a part', [deposit('40.00')], 'pending', 4_000n],
    ['parts that add up', [deposit('40.00'), deposit('60.00')], 'completed', 10_000n],
    [
      'a part, and another that is on its way',
      [deposit('40'), deposit('60', 'pending')],
      'processing',
      4_000n,
    ],
    ['too much', [deposit('130.00')], 'completed', 13_000n],
    ['one that was turned back', [deposit('100.00', 'failed')], 'failed', 0n],
    ['one that was turned back, and a part', [deposit('99', 'failed'), deposit('1')], 'pending', 100n],
    ['a word of next year', [deposit('100.00', 'resting')], 'processing', 0n],
  ])('%s', async (_what, deposits, state, amountMinor) => {
    expect(await pollProvider(deposits)).toMatchObject({
      kind: 'accepted',
      state: { state },
      ...received(amountMinor),
    })
  })

  it('deposits from other accounts are not counted, except with its tracking reference', async () => {
    const other = deposit('100', 'complete', { source: { type: 'wire', id: randomUUID() } })
    expect(await pollProvider([other])).toMatchObject({ state: { state: 'pending' }, ...received(0n) })
    const marked = deposit('100', 'complete', { source: null, trackingRef: 'CIR2VKZ9G6' })
    expect(await pollProvider([marked])).toMatchObject({
      state: { state: 'completed' },
      ...received(10_000n),
    })
  })

  it('a deposit in another currency makes the sum unknown', async () => {
    const euros = deposit('100', 'complete', { amount: { amount: '100', currency: 'EUR' } })
    expect(await pollProvider([euros])).toMatchObject({ kind: 'unknown' })
  })

  it('an account that could not be linked has failed; an id that Circle does not know is unknown', async () => {
    expect(await pollProvider([], 'failed')).toMatchObject({
      state: { state: 'failed', failure: { code: 'ACCOUNT_INVALID' } },
    })
    const { connector } = circle({
      [`GET /banks/wires/${wireId}`]: [404, { code: 404, message: 'Not found.' }],
    })
    expect(await connector.inquire(attemptOf())).toMatchObject({ kind: 'unknown' })
  })
})

describe('deposits on a chain', () => {
  const place = `${wallet.address.toLowerCase()}/USD`
  const transfer = (more: object = {}) => ({
    id: sentId,
    status: 'complete',
    amount: usd('100.000001'),
    source: { type: 'blockchain', chain: 'BASE' },
    destination: { type: 'wallet', id: '1', address: wallet.address },
    ...more,
  })
  const pollProvider = (transfers: object[]) =>
    circle({ 'GET /transfers': transfers }).connector.inquire(
      attemptOf({
        method: 'crypto',
        providerRef: place,
        amount: { amountMinor: 100_000_001n, currency: 'USDC' },
      }),
    )

  it('are counted exactly, whatever the case of the address', async () => {
    expect(await pollProvider([transfer()])).toMatchObject({
      state: { state: 'completed' },
      received: { amountMinor: 100_000_001n, currency: 'USDC' },
    })
  })

  it('another asset at the same address and outgoing transfers are not counted', async () => {
    const other = transfer({ amount: { amount: '100', currency: 'EUR' } })
    const leaving = transfer({ source: { type: 'wallet', id: '1' } })
    expect(await pollProvider([other, leaving])).toMatchObject({ state: { state: 'pending' } })
  })
})

describe('a payment that we sent', () => {
  const payout = (more: object) => ({ id: sentId, status: 'complete', amount: usd('100.00'), ...more })
  const inquire = (more: object, isCrypto = false) => {
    const currency = isCrypto ? 'USDC' : 'USD'
    const amount = { amountMinor: isCrypto ? 100_000_000n : 10_000n, currency }
    const method = isCrypto ? 'crypto' : 'bank_transfer'
    const { connector } = circle({ [`GET /${isCrypto ? 'transfers' : 'payouts'}/${sentId}`]: payout(more) })
    return connector.inquire(attemptOf({ direction: 'payout', method, amount, providerRef: sentId }))
  }

  it('is reported with its amount', async () => {
    expect(await inquire({})).toMatchObject({
      state: { state: 'completed' },
      amount: { amountMinor: 10_000n, currency: 'USD' },
    })
    expect(await inquire({ amount: usd('99.99') })).toMatchObject({ amount: { amountMinor: 9_999n } })
    expect(await inquire({ amount: { amount: '100', currency: 'EUR' } })).toMatchObject({ kind: 'unknown' })
  })

  it('is reversed if the bank returned it', async () => {
    expect(await inquire({ return: { reason: 'closed', status: 'complete' } })).toMatchObject({
      providerStatus: 'returned',
      state: { state: 'failed', failure: { code: 'REVERSED' } },
    })
  })

  it.each([
    ['insufficient_funds', 'PROVIDER_OUT_OF_FUNDS'],
    ['invalid_wire_rtn', 'ACCOUNT_INVALID'],
    ['transaction_denied', 'SUSPECTED_FRAUD'],
    ['an_unknown_code', 'UNSPECIFIED'],
  ])('fails with %s as %s', async (errorCode, code) => {
    expect(await inquire({ status: 'failed', errorCode })).toMatchObject({ state: { failure: { code } } })
  })

  it('is neither failed nor completed after a blockchain_error', async () => {
    const inquiry = await inquire({ status: 'failed', errorCode: 'blockchain_error' }, true)
    expect(inquiry).toMatchObject({ state: { state: 'processing' } })
  })
})

describe('preparatory calls', () => {
  const payee = { name: 'Grace', bankAccount: { accountNumber: '12340010', bankCode: '121000248' } }
  const payout = attemptOf({ direction: 'payout', providerRef: null })
  const transfer = attemptOf({
    direction: 'payout',
    method: 'crypto',
    providerRef: null,
    amount: { amountMinor: 5_000_000n, currency: 'USDC' },
  })
  const recipient = (status: string) => ({ id: wireId, address: wallet.address, chain: 'BASE', status })
  const bodies = (calls: HttpCall[]) => calls.flatMap(({ body }) => (body ? [JSON.parse(body)] : []))

  it('while an account is being linked nothing is sent, and the next attempt links the same account', async () => {
    const { connector, calls } = circle({
      'POST /banks/wires': wire('pending'),
      [`GET /banks/wires/${wireId}`]: wire('pending'),
    })
    const tries = [payout, { ...payout, reference: randomUUID() }]
    for (const attempt of tries)
      expect(await connector.payout?.(attempt, payee)).toMatchObject({ kind: 'not_sent' })
    const [first, second] = bodies(calls)
    expect(first).toEqual(second)
    expect(first.idempotencyKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('an error of the account is not_sent, because the payment was not requested', async () => {
    const busy = circle({ 'POST /banks/wires': [500, {}] })
    expect(await busy.connector.payout?.(payout, payee)).toMatchObject({ kind: 'not_sent' })
    const bound = circle({ 'POST /banks/wires': [409, { code: 1083, message: 'bound' }] })
    expect(await bound.connector.payout?.(payout, payee)).toMatchObject({ kind: 'not_sent' })
  })

  it('nothing is sent to an address under review; a cleared or known address is paid', async () => {
    const added = { 'POST /wallets/addresses/recipient': recipient('pending_verification') }
    const list = 'GET /wallets/addresses/recipient'
    const waiting = circle({ ...added, [list]: [recipient('pending_verification')] })
    expect(await waiting.connector.payout?.(transfer, { name: 'x', wallet })).toMatchObject({
      kind: 'not_sent',
    })
    const sent = { id: sentId, status: 'pending', amount: usd('5.00') }
    const cleared = circle({ ...added, [list]: [recipient('active')], 'POST /transfers': sent })
    expect(await cleared.connector.payout?.(transfer, { name: 'x', wallet })).toMatchObject({
      kind: 'accepted',
    })
    expect(bodies(cleared.calls).at(-1)).toEqual({
      idempotencyKey: transfer.reference,
      destination: { type: 'verified_blockchain', addressId: wireId },
      amount: { amount: '5.00', currency: 'USD' },
    })
    const known = circle({
      'POST /wallets/addresses/recipient': [409, { code: 409, message: 'exists' }],
      [list]: [recipient('active')],
      'POST /transfers': sent,
    })
    expect(await known.connector.payout?.(transfer, { name: 'x', wallet })).toMatchObject({
      kind: 'accepted',
    })
  })
})

describe('a collection', () => {
  const details = {
    payer: { name: 'Ada' },
    payerAccount: { accountNumber: 'DE31 1004 0048 0532 0130 00' },
    returnUrl: 'https://shop.test/back',
  }
  const attempt = attemptOf({
    country: 'DE',
    amount: { amountMinor: 4_500n, currency: 'EUR' },
    providerRef: null,
  })

  it('returns the account, its reference and the expiry', async () => {
    const { connector } = circle({
      'POST /banks/wires': wire('pending'),
      [`GET /banks/wires/${wireId}/instructions`]: {
        trackingRef: 'CIR2VKZ9G6',
        beneficiary: { name: 'CIRCLE' },
        beneficiaryBank: { name: 'BANK', swiftCode: 'CRYPTO99', accountNumber: 'DE89' },
      },
    })
    expect(await connector.collect?.(attempt, details)).toMatchObject({
      providerRef: wireId,
      nextAction: {
        type: 'bank_transfer',
        instructions: {
          account_name: 'CIRCLE',
          account_number: 'DE89',
          bank_name: 'BANK',
          bank_code: 'CRYPTO99',
          reference: 'CIR2VKZ9G6',
          expires_at: '2026-11-18T00:00:00.000Z',
        },
      },
    })
  })

  it('without instructions is unknown, so that the same call can find them later', async () => {
    const { connector } = circle({ 'POST /banks/wires': wire('pending') })
    expect(await connector.collect?.(attempt, details)).toMatchObject({ kind: 'unknown' })
  })
})

it('a refund of crypto, or of more than was paid, is refused without a call', async () => {
  const { connector, calls } = circle({})
  const refund = { reference: randomUUID(), providerRef: null, isPartial: false }
  const more = { amountMinor: 10_001n, currency: 'USD' }
  const tokens = attemptOf({ method: 'crypto', amount: { amountMinor: 1n, currency: 'USDC' } })
  expect(await connector.refund?.(attemptOf(), { ...refund, amount: more })).toMatchObject({
    kind: 'declined',
  })
  expect(await connector.refund?.(tokens, { ...refund, amount: tokens.amount })).toMatchObject({
    kind: 'declined',
  })
  expect(calls).toEqual([])
})
