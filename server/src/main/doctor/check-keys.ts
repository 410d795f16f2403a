import { countWrappingsAcrossOrgs } from '../../db/rewrap.ts'
import { countOutdatedHashes } from '../../domains/api-keys/count-outdated.ts'
import { failed, ok, warning, type Check, type Examined, type Finding } from './record.ts'

/** Says which secrets are in use and whether the older ones can be removed from the settings. */
export const checkKeys: Check = async (examined) => [
  await secretKeyFinding(examined),
  await pepperFinding(examined),
]

async function secretKeyFinding({ deps: { db, keys } }: Examined): Promise<Finding> {
  const { currentId } = keys.service
  const wrappings = await countWrappingsAcrossOrgs(db)
  const outdated = wrappings
    .map(({ wrappedBy, count }) => ({ id: wrappedBy ?? keys.firstKeyId, count }))
    .filter(({ id }) => id !== currentId)
  const older = outdated.reduce((sum, { count }) => sum + count, 0)
  if (older > 0)
    return warning(
      'secret key',
      `${currentId} is in use; ${older} data keys are wrapped by ${outdated.map(({ id }) => id).join(', ')}`,
      'Keep the older key in SECRET_KEY: a worker wraps them again within a minute of the adoption (docs/keys.md).',
    )
  if (await keys.isStableOutdated())
    return failed(
      'secret key',
      `${currentId} is in use; the key of the installation is wrapped by another`,
      'Keep the older key in SECRET_KEY and start a worker, which wraps it again.',
    )
  return ok('secret key', `${currentId} is in use and wraps every data key; no older one is needed for data`)
}

async function pepperFinding({ deps: { db, peppers } }: Examined): Promise<Finding> {
  const { current } = peppers
  const outdated = await countOutdatedHashes({ db, peppers })
  return outdated === 0
    ? ok('API key pepper', `${current.id} is in use; every API key that works is hashed with it`)
    : warning(
        'API key pepper',
        `${current.id} is in use; ${outdated} API keys that work need an older one`,
        'Each is renewed when it is used. Without the older pepper those that are never used end (docs/keys.md).',
      )
}
