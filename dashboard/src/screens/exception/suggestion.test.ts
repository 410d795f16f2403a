import { describe, expect, it } from 'vitest'
import { suggests, withoutCalls } from './suggestion.ts'

const suggestion =
  'Ask the provider with our reference, or with POST /v1/payments/{payment_id}/inquire. If a payment is in doubt, propose its outcome with POST /v1/payments/{payment_id}/resolve; then close this with POST /v1/payments/exceptions/{exception_id}/close.'

describe('a suggested action', () => {
  it('reads as a sentence without its calls', () => {
    expect(withoutCalls(suggestion)).toBe(
      'Ask the provider with our reference. If a payment is in doubt, propose its outcome; then close this.',
    )
  })

  it('lists the calls that resolve the exception', () => {
    expect(suggests(suggestion, 'resolve')).toBe(true)
    expect(suggests(suggestion, 'inquire')).toBe(true)
    expect(suggests(suggestion, 'release-money')).toBe(false)
  })
})
