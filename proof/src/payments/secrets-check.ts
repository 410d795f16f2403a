import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  filesUnder,
  findSecrets,
  formsOf,
  formsOfCvv,
  textsOf,
  withUnpacked,
  type Place,
} from '@switchyard/server/test/secrets/search-secrets.ts'
import { control, secretInputs } from './canaries.ts'
import type { Violation } from './violation.ts'
import type { Endpoint, Receivers } from './receivers.ts'
import type { PaymentsInstallation } from './installation.ts'

const providerSecrets = [
  'sk_test_switchyard_sandbox',
  'pawapay-sandbox-token',
  'whsec_switchyard_sandbox',
  'AQE-adyen-sandbox-checkout',
  'AQE-adyen-sandbox-transfers',
  'FLWSECK_TEST-switchyard-sandbox-X',
  'flutterwave-sandbox-hash',
  'FLWSECK_TESTswitchyard01',
  'mpesa-sandbox-secret',
  'mpesa-sandbox-passkey',
  'mpesa-sandbox-initiator',
  'truelayer-sandbox-secret',
]

/** Every place to which data is written: logs, data files, the write-ahead log, the engine, events. */
function placesOf(installation: PaymentsInstallation, { receiver }: Receivers): Place[] {
  const { directory } = installation
  const engines = ['engine-0', 'engine-1', 'engine-2']
  return [
    { name: 'logs of api and worker', pieces: () => filesUnder(join(directory, 'logs')) },
    { name: 'logs of the services', pieces: () => logsBeside(directory) },
    { name: 'files of Postgres', pieces: () => filesOfPostgres(directory, 'base') },
    { name: 'write-ahead log', pieces: () => filesOfPostgres(directory, 'pg_wal') },
    ...engines.map((name) => ({ name, pieces: () => withUnpacked(filesUnder(join(directory, name))) })),
    {
      name: 'events',
      pieces: () => textsOf(...receiver.received.map(({ body, headers }) => body + JSON.stringify(headers))),
    },
  ]
}

/** Includes the standby, if there is one. */
async function* filesOfPostgres(directory: string, name: string): AsyncIterable<Buffer> {
  const servers = ['postgres', 'standby'].map((server) => join(directory, server, name))
  for (const files of servers.filter((path) => existsSync(path))) yield* filesUnder(files)
}

async function* logsBeside(directory: string): AsyncIterable<Buffer> {
  yield* filesUnder(directory, (name) => /^(?:postgres|engine-\d)\.log$/.test(name))
}

/** Secrets must not be found anywhere; the control text must be found, or the search proves nothing. */
export async function secretViolations(
  installation: PaymentsInstallation,
  receivers: Receivers,
): Promise<Violation[]> {
  await installation.owner.query('checkpoint')
  const found = await search(installation, receivers, placesOf(installation, receivers))
  const isBlind = !found.some((line) => /^(?:files of Postgres|write-ahead log): control$/.test(line))
  return [...leaksIn(found), ...(isBlind ? [leak('the search did not find the control text')] : [])]
}

/** Searches only the logs of api and worker, which is fast. */
export const loggedSecrets = async (
  installation: PaymentsInstallation,
  receivers: Receivers,
): Promise<Violation[]> =>
  leaksIn(await search(installation, receivers, placesOf(installation, receivers).slice(0, 1)))

const leak = (problem: string): Violation => ({ invariant: 'I14', subject: 'secrets', problem })

const leaksIn = (found: readonly string[]): Violation[] =>
  found.filter((line) => !line.endsWith(': control')).map(leak)

function search(
  installation: PaymentsInstallation,
  receivers: Receivers,
  places: readonly Place[],
): Promise<string[]> {
  const { orgs, seed } = installation.people
  const keys = [
    seed.platformAdmin.api_key,
    ...orgs.flatMap(({ initiator, approver, confirmer }) => [initiator, approver, confirmer]),
  ]
  return findSecrets(places, {
    'a card number': secretInputs.cards.flatMap((card) => formsOf(card)),
    'a card’s CVV': formsOfCvv(secretInputs.cvv),
    'a one-time password': formsOf(secretInputs.wrongPassword),
    'an API key': keys.map((key) => Buffer.from(key)),
    'a provider’s secret': providerSecrets.map((secret) => Buffer.from(secret)),
    'a signing secret': receivers.endpoints.map(({ secret }: Endpoint) => Buffer.from(secret)),
    control: [Buffer.from(control)],
  })
}
