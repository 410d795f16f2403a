import { createHash } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build } from 'vite'
import { distDirectory } from './dist-directory.ts'

const root = join(import.meta.dirname, '../..')
const stampFile = join(distDirectory, 'built-from.txt')
const otherSources = ['index.html', 'vite.config.ts', 'package.json', '../package-lock.json']

/** Builds the files that the api serves at /dashboard, unless the last build used the same sources. */
export async function buildDashboard(): Promise<void> {
  const stamp = await hashOfSources()
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return
  await buildForProduction()
  await writeFile(stampFile, stamp)
}

/** A test runner sets NODE_ENV to `test`, which makes vite bundle the development version of React. */
async function buildForProduction(): Promise<void> {
  const { NODE_ENV } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ root, logLevel: 'error' })
  } finally {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = NODE_ENV
  }
}

async function hashOfSources(): Promise<string> {
  const entries = await Promise.all(
    ['src', '../sdk/src', '../checkout/src'].map((folder) =>
      readdir(join(root, folder), { recursive: true, withFileTypes: true }),
    ),
  )
  const sources = entries
    .flat()
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const hash = createHash('sha256')
  for (const file of [...sources.toSorted(), ...otherSources.map((name) => join(root, name))])
    hash.update(relative(root, file)).update(await readFile(file))
  return hash.digest('hex')
}

if (import.meta.main) await buildDashboard()
