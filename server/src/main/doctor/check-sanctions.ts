import { indexedDataset } from '../../domains/compliance/sanctions/yente/rules.ts'
import { createYenteClient } from '../../domains/compliance/sanctions/yente/find-names.ts'
import { yenteServerOf } from '../sanctions-deps.ts'
import { addressOf, reasonOf } from '../watch-dependencies.ts'
import { failed, ok, warning, type Check, type Finding } from './record.ts'

const check = 'yente server'
const hourMs = 60 * 60_000
const staleAfterMs = 48 * hourMs
/** Whoever is found does not matter: the search shows that the key and the algorithm are accepted. */
const anybody = { name: 'John Example' }

/** Nothing is reported where the processes compare names themselves. */
export const checkSanctions: Check = async ({ config, deps }) => {
  const server = yenteServerOf(config)
  if (!server) return []
  const address = addressOf(server.url)
  const findings: Finding[] =
    config.SWITCHYARD_ENV === 'production' && !server.url.startsWith('https://')
      ? [warning(check, `names are sent to ${address} without TLS`, 'Use https in SANCTIONS_YENTE_URL.')]
      : []
  const client = createYenteClient(server)
  try {
    await client.checkReady()
    const indexed = indexedDataset((await client.readCatalog()) ?? [], server.dataset)
    await client.search(anybody)
    const ageMs = indexed?.exportedAt && deps.clock.now().getTime() - indexed.exportedAt.getTime()
    if (!indexed)
      findings.push(
        failed(
          check,
          `${address} has not indexed ${server.dataset}`,
          'Check SANCTIONS_YENTE_DATASET, and that the indexing has ended. Nobody can be screened until then.',
        ),
      )
    else if (ageMs !== undefined && ageMs > staleAfterMs)
      findings.push(
        warning(
          check,
          `${address} has a version of ${server.dataset} that is ${Math.round(ageMs / hourMs)} hours old`,
          'Find out why the server does not update its data.',
        ),
      )
    else findings.push(ok(check, `${address} has indexed ${indexed.version}`))
  } catch (error) {
    findings.push(
      failed(
        check,
        `${address} cannot be used (${reasonOf(error)})`,
        'Check the settings SANCTIONS_YENTE_*. Nobody is sent anything until it answers.',
      ),
    )
  }
  return findings
}
