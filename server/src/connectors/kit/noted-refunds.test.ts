import { expect, it, vi } from 'vitest'
import type { Attempt, RefundRequest } from './connector.ts'
import { notedRefunds, notInTime } from './noted-refunds.ts'

const attempt: Attempt = {
  reference: 'a',
  providerRef: 'p',
  direction: 'payin',
  method: 'card',
  country: 'NG',
  amount: { amountMinor: 100n, currency: 'NGN' },
  createdAt: new Date(0),
}

it('a refund is not sent if the list of earlier ones took until its deadline', async () => {
  let isInTime = true
  const send = vi.fn()
  const { refund } = notedRefunds({
    async listOf() {
      isInTime = false
      return []
    },
    send,
    byId: vi.fn(),
  })
  const request: RefundRequest = {
    reference: 'r',
    providerRef: null,
    amount: attempt.amount,
    isPartial: false,
    isInTime: () => isInTime,
  }
  expect(await refund(attempt, request)).toEqual(notInTime)
  expect(send).not.toHaveBeenCalled()
})
