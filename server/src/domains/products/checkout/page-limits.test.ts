import { describe, expect, it } from 'vitest'
import { cardPayin, openPayments, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'
import { returnToken } from '../../payments/actions/build-return-url.ts'

const burst = 20
const t = usePayments({
  delayMs: untilSettled,
  env: { PAGE_RATE_LIMIT_PER_SECOND: '1', PAGE_RATE_LIMIT_BURST: String(burst) },
})

describe('429', () => {
  it('every page of one address takes from the same limit', async () => {
    const org = await openPayments(t)
    const paymentId = await org.start(cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN' }))
    const path = `/return/${returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId })}`
    const paths = [path, `${path}/status`, `${path}/logo`, '/pay-assets/none.css', '/pay/none']
    const statuses: number[] = []
    for (let calls = 0; calls < 2 * burst; calls++)
      statuses.push((await t.call('GET', paths[calls % paths.length] ?? path)).status)
    expect(statuses.slice(0, burst)).not.toContain(429)
    for (const one of [...paths, `${path}/events`])
      expect([one, (await t.call('GET', one)).status]).toEqual([one, 429])
  })
})
