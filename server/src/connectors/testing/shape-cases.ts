import { describe, expect, test } from 'vitest'
import { missingFunctions } from '../kit/register-connectors.ts'
import { covers } from './declared-cases.ts'
import { isPayin, isRamp, shapeOf, type ContractHarness } from './harness.ts'
import { newAttempt } from './steps.ts'

/** Checks that need no provider. */
export function shapeCases(harness: ContractHarness): void {
  const connector = shapeOf(harness)
  const { definition, flows } = harness

  describe('shape', () => {
    test('empty credentials are refused, and the connector has the name of its definition', () => {
      expect(definition.credentials.safeParse({}).success).toBe(false)
      expect(connector.name).toBe(definition.name)
    })

    test('every capability that it declares has its function, and every function is declared', () => {
      expect(missingFunctions(definition, connector)).toEqual([])
      const directions = new Set(connector.capabilities.map(({ direction }) => direction))
      expect(directions.has('payin')).toBe(connector.collect !== undefined)
      expect(directions.has('payout')).toBe(connector.payout !== undefined)
      expect(directions.has('on_ramp')).toBe(connector.onRamp !== undefined)
      expect(directions.has('off_ramp')).toBe(connector.offRamp !== undefined)
      expect(connector.inquireRefund !== undefined).toBe(connector.refund !== undefined)
      expect(connector.readWebhook !== undefined).toBe(connector.verifyWebhook !== undefined)
    })

    test('the harness covers every direction and method and every optional capability', () => {
      const wanted = connector.capabilities.map(({ direction, method }) => `${direction} ${method}`)
      const given = flows.map(({ direction, method }) => `${direction} ${method}`)
      expect(new Set(given)).toEqual(new Set(wanted))
      expect(harness.webhooks.kind !== 'none').toBe(connector.verifyWebhook !== undefined)
      expect(harness.refunds !== undefined).toBe(connector.refund !== undefined)
      expect(harness.cancel !== undefined).toBe(connector.cancel !== undefined)
      expect(harness.accounts !== undefined).toBe(connector.listBanks !== undefined)
      expect(harness.openings !== undefined).toBe(connector.openAccount !== undefined)
      expect(harness.openings !== undefined).toBe(connector.readDeposits !== undefined)
      expect(flows.some(({ otp }) => otp === true)).toBe(connector.act !== undefined)
    })

    test('"not found" is never final immediately', () => {
      expect(connector.notFoundFinalAfterMs ?? 1).toBeGreaterThan(0)
    })

    test.each(flows.map((flow) => [flow.title, flow] as const))(
      '%s is among its capabilities',
      (_title, flow) => {
        expect(connector.capabilities.some((capability) => covers(capability, flow))).toBe(true)
      },
    )

    const plain = flows.filter((flow) => !isRamp(flow))
    test.skipIf(!connector.missingFields).each(plain.map((flow) => [flow.title, flow] as const))(
      '%s lacks no field, and the same flow without details lacks some',
      (_title, flow) => {
        const bare = isPayin(flow) ? { payer: {}, returnUrl: 'https://shop.test/back' } : { name: '' }
        expect(connector.missingFields?.(newAttempt(flow), flow.details)).toEqual([])
        if (flow.bare) return
        expect(connector.missingFields?.(newAttempt(flow), bare)).not.toEqual([])
      },
    )
  })
}
