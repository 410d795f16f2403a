import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { cpuMsOf } from '../../../test/processes/cpu-time.ts'
import { createMeter } from './meter.ts'

it('a metric costs microseconds', () => {
  const meter = createMeter(new Registry())
  const labels = { provider: 'stripe', method: 'card', direction: 'inbound', outcome: 'accepted' }
  const attempts = 10_000
  const cpuMs = cpuMsOf(() => {
    for (let count = 0; count < attempts; count++) meter.attempt(labels)
  })
  expect(cpuMs / attempts).toBeLessThan(0.1)
})
