import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import { repositoryDir } from '@switchyard/stack/repository-dir.ts'

/** The formatter's function takes options and does not look for its configuration. */
const options: FormatConfig = JSON.parse(readFileSync(join(repositoryDir, '.oxfmtrc.json'), 'utf8'))

/** The text as `npm run format` writes it to this path. */
export async function formatText(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, options)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
