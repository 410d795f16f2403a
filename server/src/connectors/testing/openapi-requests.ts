import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import type { HttpClient } from '../kit/http-client.ts'
import { isRecord, type JsonRecord } from '../kit/json-record.ts'
import { createRequestValidator } from './openapi-validator.ts'

const defaultSpecsDir = join(import.meta.dirname, '../../../../../shared/providers/specs')

interface RequestCheckOptions {
  /** A file of `../shared/providers/specs`, such as `paystack.yaml`. */
  file: string
  /** The prefix of the paths in the file. Calls to other addresses are not checked. */
  baseUrl: string
  /** Known errors in the file: the beginning of the problem's text, and why the request is right. */
  deviations?: Readonly<Record<string, string>> | undefined
  specsDir?: string
}

export interface RequestCheck {
  http: HttpClient
  /** Set if the specs are not on this machine, so that nothing is checked. */
  skipped: string | undefined
  /** The distinct problems of all requests. At the end of a test: `expect(problems()).toEqual([])`. */
  problems: () => string[]
}

/** Validates every request of a connector against its provider's OpenAPI file. */
export function checkRequests(http: HttpClient, options: RequestCheckOptions): RequestCheck {
  const specsDir = options.specsDir ?? defaultSpecsDir
  if (!existsSync(specsDir)) {
    const skipped = `${specsDir} does not exist: requests are not validated against ${options.file}`
    return { http, skipped, problems: () => [] }
  }
  const problemsOf = createRequestValidator(readSpec(join(specsDir, options.file)))
  const deviations = Object.keys(options.deviations ?? {})
  const found = new Set<string>()
  let checkedCount = 0
  return {
    skipped: undefined,
    http: (call) => {
      if (call.url.startsWith(options.baseUrl)) {
        checkedCount += 1
        for (const problem of problemsOf(call, call.url.slice(options.baseUrl.length))) found.add(problem)
      }
      return http(call)
    },
    problems: () => {
      if (checkedCount === 0) return [`no request went to ${options.baseUrl}: nothing was checked`]
      const problems = [...found].filter((one) => !deviations.some((start) => one.startsWith(start)))
      const unused = deviations.filter((start) => ![...found].some((one) => one.startsWith(start)))
      return [...problems, ...unused.map((start) => `the deviation "${start}" is not needed`)]
    },
  }
}

function readSpec(path: string): JsonRecord {
  const text = readFileSync(path, 'utf8')
  const document: unknown = path.endsWith('.json') ? JSON.parse(text) : parseYaml(text)
  if (!isRecord(document)) throw new Error(`${path} is not an OpenAPI file`)
  return document
}
