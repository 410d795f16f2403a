import { expect, test } from 'vitest'
import { openAcceptanceLog } from '@switchyard/simulator/core/acceptance-log.ts'
import { createSystemClock } from '@switchyard/simulator/core/clock.ts'
import { openProvider } from '@switchyard/simulator/core/provider.ts'
import { PROTOCOLS } from '@switchyard/simulator/registry.ts'
import { movesMoney } from './crashing-parts.ts'

const environment = {
  clock: createSystemClock(),
  delayMs: 0,
  stateDir: undefined,
  webhookRetryDelaysMs: [],
  defaultWebhookUrl: () => undefined,
  publicUrl: () => 'http://simulator.invalid',
  log: openAcceptanceLog(undefined),
}

const paying = PROTOCOLS.filter(({ name }) => name !== 'sumsub')

test.each(paying)('a process can be killed at every call that moves money at $name', async (protocol) => {
  const provider = openProvider(protocol, environment)
  await provider.stop()
  const calls = provider.parts.routes
    .filter(({ on }) => on === 'collect' || on === 'payout')
    .map(({ path }) => ({ method: 'POST' as const, url: `${environment.publicUrl()}${path}` }))
  expect(calls).not.toEqual([])
  expect(calls.filter((call) => !movesMoney(call))).toEqual([])
})
