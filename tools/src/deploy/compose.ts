import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { Env } from '@switchyard/stack/programs.ts'

export interface ComposeService {
  image: string
  command?: string[]
  environment?: Env
  profiles?: string[]
  ports?: string[]
  volumes?: string[]
  networks?: { default: { aliases: string[] } }
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  volumes: Record<string, object>
}

const composeFile = join(import.meta.dirname, '../../../deploy/compose.yaml')

/** Reads deploy/compose.yaml with the variables of an .env file, as far as it uses the language of Compose. */
export const readCompose = (env: Env): ComposeFile => parse(composeText(env), { merge: true })

export const composeText = (env: Env): string => interpolated(readFileSync(composeFile, 'utf8'), env)

/** `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, outside comments. */
function interpolated(text: string, env: Env): string {
  const line = (one: string): string =>
    one.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind = '', rest = '') => {
      const value = env[name] ?? ''
      if (value !== '') return value
      if (kind === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`)
      return kind === '-' ? rest : ''
    })
  return text
    .split('\n')
    .map((one) => (/^ *#/.test(one) ? one : line(one)))
    .join('\n')
}
