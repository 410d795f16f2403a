import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextFees, transferData, type Fees } from './rules.ts'

const gwei = 1_000_000_000n
const fees = (fee: bigint, tip: bigint): Fees => ({ maxFeePerGas: fee, maxPriorityFeePerGas: tip })
const anyFees = fc
  .tuple(fc.bigInt({ min: 1n, max: 1_000n * gwei }), fc.bigInt({ min: 0n, max: 1_000n * gwei }))
  .map(([fee, tip]) => fees(fee > tip ? fee : tip, tip))

describe('the fees of the next version of a transfer', () => {
  it('the first version offers the market price', () => {
    expect(nextFees(fees(30n * gwei, gwei), undefined, 500n * gwei)).toEqual(fees(30n * gwei, gwei))
  })

  it('a replacement raises both fees by more than the tenth that nodes ask for', () => {
    fc.assert(
      fc.property(anyFees, anyFees, (market, last) => {
        const next = nextFees(market, last, 10n ** 30n)
        return (
          next !== undefined &&
          next.maxFeePerGas * 10n > last.maxFeePerGas * 11n &&
          next.maxPriorityFeePerGas * 10n > last.maxPriorityFeePerGas * 11n
        )
      }),
    )
  })

  it('the tip is never above the fee, and neither is below the market', () => {
    fc.assert(
      fc.property(anyFees, fc.option(anyFees, { nil: undefined }), (market, last) => {
        const next = nextFees(market, last, 10n ** 30n)
        return (
          next !== undefined &&
          next.maxPriorityFeePerGas <= next.maxFeePerGas &&
          next.maxPriorityFeePerGas >= market.maxPriorityFeePerGas &&
          next.maxFeePerGas >= market.maxFeePerGas
        )
      }),
    )
  })

  it('at the limit the transfer is sent, above it it waits', () => {
    expect(nextFees(fees(30n, 1n), undefined, 30n)).toEqual(fees(30n, 1n))
    expect(nextFees(fees(31n, 1n), undefined, 30n)).toBeUndefined()
  })
})

it('a transfer calls the token with the payee and the amount', () => {
  const to = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(transferData({ to, amountMinor: 255n })).toBe(
    `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${'ff'.padStart(64, '0')}`,
  )
})
