import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import { selectPersonKeysAcrossOrgs } from '../../kernel/db/data-key-rows.ts'
import { countWrappingsAcrossOrgs } from '../../kernel/db/rewrap.ts'
import { countOutdatedHashes } from '../../domains/people/api-keys/reads.ts'
import { failed, ok, warning, type Check, type CheckInput, type Finding } from './record.ts'

/** Says which secrets are in use and whether the older ones can be removed from the settings. */
export const checkKeys: Check = async (examined) => [
  await secretKeyFinding(examined),
  await pepperFinding(examined),
  await personKeysFinding(examined),
]

async function secretKeyFinding({ deps: { db, keys } }: CheckInput): Promise<Finding> {
  const { currentId } = keys.service
  const wrappings = await countWrappingsAcrossOrgs(db)
  const outdated = wrappings.filter(({ wrappedBy }) => wrappedBy !== currentId)
  const older = outdated.reduce((sum, { count }) => sum + count, 0)
  if (older > 0)
    return warning(
      'secret key',
      `${currentId} is in use; ${older} data keys are wrapped by ${outdated.map(({ wrappedBy }) => wrappedBy).join(', ')}`,
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

async function pepperFinding({ deps: { db, peppers } }: CheckInput): Promise<Finding> {
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

/** A file that is missing means that the personal data of an organisation cannot be read. */
async function personKeysFinding({ config, deps: { db } }: CheckInput): Promise<Finding> {
  const { PERSON_KEYS_DIR: directory } = config
  const needed = await db.acrossOrgs(selectPersonKeysAcrossOrgs)
  if (directory === undefined)
    return needed.length === 0
      ? warning(
          'person keys',
          'there are none, so nobody can be erased',
          'Set PERSON_KEYS_DIR (docs/privacy.md).',
        )
      : failed(
          'person keys',
          `${needed.length} organisations have some, and PERSON_KEYS_DIR is not set`,
          'Set it to the directory that the other processes have.',
        )
  const isUsable = (path: string): Promise<boolean> =>
    access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    )
  const found = await Promise.all(needed.map((keysId) => isUsable(join(directory, keysId))))
  const missing = found.filter((one) => !one).length
  if (missing > 0)
    return failed(
      'person keys',
      `${missing} of ${needed.length} files are missing in PERSON_KEYS_DIR, or cannot be read and written`,
      'Restore the current copy of the directory, or correct its owner (docs/privacy.md).',
    )
  return ok('person keys', `those of ${needed.length} organisations are there`)
}
