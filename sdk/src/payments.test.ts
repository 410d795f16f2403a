import { describe, expect, it } from 'vitest'
import { json, lost, refusal, stubbed, type Reply } from './testing/stub-fetch.ts'

const inStatus = (status: string): Reply => json({ payment_id: 'p-1', status })
const many = (reply: () => Reply, length: number): Reply[] => Array.from({ length }, reply)

describe('waitFor', () => {
  it.each(['completed', 'failed', 'refunded', 'rejected', 'canceled'])(
    'returns a payment that has %s as its end',
    async (status) => {
      const { client, delays } = stubbed([inStatus('processing'), inStatus('a_new_status'), inStatus(status)])
      expect(await client.payments.waitFor('p-1')).toMatchObject({ payment_id: 'p-1', outcome: status })
      expect(delays).toEqual([500, 750])
    },
  )

  it('calls an open payment unknown when the time is over, at the exact time', async () => {
    const { client, delays } = stubbed(many(() => inStatus('processing'), 40))
    const waited = await client.payments.waitFor('p-1', { timeoutMs: 20_000 })
    expect([waited.outcome, waited.status]).toEqual(['unknown', 'processing'])
    expect(delays.reduce((sum, ms) => sum + ms, 0)).toBe(20_000)
    expect(Math.max(...delays)).toBe(5_000)
  })

  it('waits an outage out, and reports one before the first answer', async () => {
    const outage = [lost(), lost(), lost()]
    const { client } = stubbed([inStatus('pending'), ...outage, inStatus('completed')])
    expect((await client.payments.waitFor('p-1')).outcome).toBe('completed')
    await expect(stubbed(outage).client.payments.waitFor('p-1')).rejects.toMatchObject({
      name: 'ConnectionError',
    })
    const gone = stubbed([inStatus('pending'), refusal(404, 'NOT_FOUND')]).client
    await expect(gone.payments.waitFor('p-1')).rejects.toMatchObject({ status: 404 })
  })
})
