import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { createPawapayClient, type PawapayClient } from '../../testing/pawapay-client.ts'

let simulator: Simulator
let client: PawapayClient

beforeAll(async () => {
  // With a delay of a day, no transaction advances until a test settles it.
  simulator = await startSimulator({ delayMs: 86_400_000 })
  client = createPawapayClient(simulator)
})
afterAll(() => simulator.stop())

async function completedDeposit(amount: string): Promise<string> {
  const id = randomUUID()
  await client.deposit({ id, amount })
  await simulator.settle({ reference: id })
  return id
}

function rejectedWith(failureCode: string) {
  return { status: 'REJECTED', failureReason: { failureCode } }
}

describe('refunds', () => {
  test('are possible in parts up to the whole amount', async () => {
    const depositId = await completedDeposit('100')
    const part = await client.refund({ depositId, amount: '30.5', currency: 'GHS' })
    expect(part.json()).toMatchObject({ status: 'ACCEPTED' })
    expect((await client.refund({ depositId })).json()).toMatchObject(rejectedWith('REFUND_IN_PROGRESS'))
    await simulator.settle()
    const tooMuch = await client.refund({ depositId, amount: '70', currency: 'GHS' })
    expect(tooMuch.json()).toMatchObject(rejectedWith('AMOUNT_TOO_LARGE'))

    const refundId = randomUUID()
    expect((await client.refund({ refundId, depositId })).json()).toMatchObject({ status: 'ACCEPTED' })
    await simulator.settle()
    expect((await client.find('refunds', refundId)).json()).toMatchObject({
      data: {
        status: 'COMPLETED',
        amount: '69.50',
        recipient: { accountDetails: { phoneNumber: '233593456789' } },
      },
    })
    expect((await client.refund({ refundId, depositId })).json()).toMatchObject({
      status: 'DUPLICATE_IGNORED',
    })
    expect((await client.refund({ depositId })).json()).toMatchObject(
      rejectedWith('DEPOSIT_ALREADY_REFUNDED'),
    )
    const kinds = simulator.log({ reference: refundId }).map(({ kind, amount }) => [kind, amount])
    expect(kinds).toEqual([['refund', '69.5']])
  })

  test('are possible only for a completed deposit', async () => {
    const pending = randomUUID()
    await client.deposit({ id: pending, amount: '20.13' })
    expect((await client.refund({ depositId: pending })).json()).toMatchObject(rejectedWith('INVALID_STATE'))
    expect((await client.refund({ depositId: randomUUID() })).json()).toMatchObject(rejectedWith('NOT_FOUND'))
  })
})
