import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { loadList } from '../domains/compliance/sanctions/lists/load-list.ts'
import { AppError } from '../lib/errors.ts'
import { readConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { startProcess } from './process-start.ts'
import { StartError } from './start-error.ts'

/** `npm run sanctions:load -- [--allow-shrinking] FILE…`: takes sanctions lists into use. */
const { values, positionals } = parseArgs({
  options: { 'allow-shrinking': { type: 'boolean', default: false } },
  allowPositionals: true,
})
const config = await startProcess(async () => {
  if (positionals.length === 0)
    throw new StartError([
      'Name the files: sdn.xml of OFAC, consolidated.xml of the UN, and those of the EU and the UK.',
    ])
  return readConfig()
})
const deps = await createDeps(config)
try {
  for (const path of positionals) {
    const loading = { path, loadedBy: userInfo().username, allowsShrinking: values['allow-shrinking'] }
    const { version, isNew } = await loadList(deps, loading)
    const { source, entryCount, versionId } = version
    process.stdout.write(
      isNew
        ? `${path}: ${source} with ${entryCount} entries is in force as version ${versionId}; everybody is being screened\n`
        : `${path}: ${source} is in force already, as version ${versionId}\n`,
    )
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  await deps.close()
}
