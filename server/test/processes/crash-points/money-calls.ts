import { openAcceptanceLog } from '@switchyard/simulator/core/acceptance-log.ts'
import { createSystemClock } from '@switchyard/simulator/core/clock.ts'
import { openProvider } from '@switchyard/simulator/core/provider.ts'
import { PROTOCOLS } from '@switchyard/simulator/registry.ts'
import type { HttpCall } from '../../../src/connectors/kit/http-client.ts'

const environment = {
  clock: createSystemClock(),
  delayMs: 0,
  stateDir: undefined,
  webhookRetryDelaysMs: [],
  defaultWebhookUrl: () => undefined,
  publicUrl: () => 'http://simulator.invalid',
  log: openAcceptanceLog(undefined),
}

/** As the simulated providers declare them, so that those of a new connector are known without a list of them here. */
const moneyPaths: ReadonlySet<string> = new Set(
  PROTOCOLS.flatMap((protocol) => openProvider(protocol, environment).parts.routes)
    .filter(({ on }) => on === 'collect' || on === 'payout')
    .map(({ path }) => path),
)

/** Whether the call moves money, or opens the page on which it is paid; other calls may prepare a payout first. */
export const movesMoney = ({ method, url }: Pick<HttpCall, 'method' | 'url'>): boolean =>
  method === 'POST' && moneyPaths.has(new URL(url).pathname)
