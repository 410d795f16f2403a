import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { messageCatalogues } from './message-catalogues.ts'

let messages: string

beforeEach(() => {
  messages = mkdtempSync(join(tmpdir(), 'switchyard-messages-'))
})
afterEach(() => rmSync(messages, { recursive: true }))

function writeMessages(path: string, content: string): void {
  const file = join(messages, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

describe('the catalogues of messages', () => {
  test('have every group of texts of every file, in every language', () => {
    writeMessages('en/refunds.ts', "export const refunds = { title: 'Refunds' } as const\n")
    writeMessages(
      'en/members.ts',
      'const plural = pluralsOf()\nexport const members = {}\nexport const invitations = {}\n',
    )
    writeMessages('fr/refunds.ts', '')
    writeMessages('generated/texts.ts', '')
    writeMessages('active.ts', '')

    const modules = messageCatalogues(messages)

    expect(Object.keys(modules).toSorted()).toEqual(['en/catalogue.ts', 'fr/catalogue.ts', 'texts.ts'])
    expect(modules['fr/catalogue.ts']).toContain(
      "import { members, invitations } from '../../fr/members.ts'\nimport { refunds } from '../../fr/refunds.ts'\n",
    )
    for (const language of ['en', 'fr'])
      expect(modules[`${language}/catalogue.ts`]).toContain(
        'catalogue = { invitations, members, refunds } as const',
      )
    expect(modules['texts.ts']).toContain(
      'export const { invitations, members, refunds } = active().catalogue',
    )
  })

  test('cannot be made if two files export the same name', () => {
    writeMessages('en/member.ts', 'export const roles = {}\n')
    writeMessages('en/organization.ts', 'export const roles = {}\n')

    expect(() => messageCatalogues(messages)).toThrow('member.ts and organization.ts both export roles')
  })
})
