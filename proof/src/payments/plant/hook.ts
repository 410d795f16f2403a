import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Edit } from './bug.ts'

/** Loaded with `--import` into an api or a worker; it edits the named files in memory as they are loaded. */
const plantedFile = process.env['PLANTED_FILE'] ?? ''
const edits = JSON.parse(readFileSync(plantedFile, 'utf8')) as Edit[] // written by prove.ts

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const wanted = edits.filter((edit) => url.endsWith(`/server/src/${edit.file}`))
    if (wanted.length === 0) return loaded
    const file = fileURLToPath(url)
    return { ...loaded, source: wanted.reduce(applyEdit, readFileSync(file, 'utf8')) }
  },
})

function applyEdit(source: string, { file: name, from, to }: Edit): string {
  if (!source.includes(from))
    throw new Error(`${name} no longer holds the text that the planted bug replaces: ${from}`)
  return source.replace(from, () => to)
}
