import type { Translated } from '../translated.ts'
import type { apiKeys as english } from '../en/api-keys.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('sw')

export const apiKeys: Translated<typeof english> = {
  title: 'Funguo za API',
  name: 'Jina',
  nameHint: 'Mahali ufunguo unapotumika, kwa mfano “ukurasa wa malipo, mazingira halisi”.',
  owner: 'Mmiliki',
  you: 'wewe',
  status: 'Hali',
  statuses: {
    active: 'Unatumika',
    expiring: 'Umebadilishwa',
    revoked: 'Umebatilishwa',
    expired: 'Muda umekwisha',
  },
  scopes: 'Ruhusa',
  allScopes: 'ruhusa zote',
  someScopes: (count: number) => plural(count, { one: 'ruhusa #', other: 'ruhusa #' }),
  lastUsed: 'Mara ya mwisho kutumika',
  never: 'kamwe',
  until: 'hadi',
  since: 'tangu',
  actions: 'Vitendo',
  empty: 'Bado hakuna funguo za API',
  emptyText: 'Mfumo wako huita API kwa ufunguo. Ufunguo unaweza kufanya anachoweza mmiliki wake, au pungufu.',
  create: 'Unda ufunguo',
  createTitle: 'Unda ufunguo wa API',
  createText: 'Ufunguo hufanya kazi kwa niaba yako na hupoteza uwezo wake ukipoteza wako.',
  scopesHint: 'Usipochagua, ufunguo unaweza kufanya yote unayoweza kufanya.',
  expiry: 'Muda unakwisha tarehe',
  expiryHint: 'Si lazima. Ufunguo huacha kufanya kazi mwisho wa siku hii.',
  allowedIps: 'Anwani zinazoruhusiwa',
  allowedIpsHint:
    'Si lazima. Anwani za IP au mitandao kama 203.0.113.0/24, zikitenganishwa kwa koma au nafasi. Ufunguo hukataliwa kutoka kwingine kote.',
  fromSome: (count: number) => plural(count, { one: 'kutoka mtandao #', other: 'kutoka mitandao #' }),
  secretTitle: 'Ufunguo wako mpya',
  secretText: 'Utume kwenye kichwa cha ombi X-Api-Key.',
  secretLabel: 'Ufunguo wa API',
  rotate: 'Fanya upya',
  rotateOf: (name: string) => `Fanya upya ${name}`,
  rotateTitle: 'Ungependa kufanya ufunguo huu upya?',
  rotateText: 'Utapata ufunguo mpya wenye jina na ruhusa zile zile.',
  overlap: 'Muda wa ziada wa ufunguo wa zamani',
  overlaps: { '86400': 'Siku 1', '3600': 'Saa 1', '604800': 'Siku 7', '0': 'hakuna: unakwisha sasa' },
  revoke: 'Batilisha',
  revokeOf: (name: string) => `Batilisha ${name}`,
  revokeTitle: 'Ungependa kubatilisha ufunguo huu?',
  revokeText: (name: string) =>
    `“${name}” unaacha kufanya kazi mara moja na kabisa, pamoja na kila ufunguo ulioundwa nao.`,
  revoked: 'Ufunguo umebatilishwa.',
}
