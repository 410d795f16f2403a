import type { Translated } from '../translated.ts'
import type {
  roles as englishRoles,
  members as englishMembers,
  member as englishMember,
  invitations as englishInvitations,
  auditLog as englishAuditLog,
} from '../en/organization.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('sw')

export const roles: Translated<typeof englishRoles> = {
  'platform-admin': 'Mwendeshaji',
  'org-admin': 'Msimamizi',
  staff: 'Mfanyakazi',
  viewer: 'Mtazamaji',
}

export const members: Translated<typeof englishMembers> = {
  title: 'Wanachama',
  lists: 'Wanachama na mialiko',
  invitations: 'Mialiko',
  name: 'Jina',
  email: 'Barua pepe',
  role: 'Jukumu',
  adjustments: 'Ruhusa zilizorekebishwa',
  none: 'hakuna',
  since: 'Mwanachama tangu',
  empty: 'Bado hakuna wanachama',
  emptyText: 'Waalike watu wanaoshughulikia malipo.',
  you: 'wewe',
  granted: (count: number) => plural(count, { one: '# imetolewa', other: '# zimetolewa' }),
  revoked: (count: number) => plural(count, { one: '# imeondolewa', other: '# zimeondolewa' }),
  held: 'Badiliko linasubiri mtu wa pili.',
  user: 'Kitambulisho cha mtumiaji',
}

export const member: Translated<typeof englishMember> = {
  title: 'Mwanachama',
  details: 'Maelezo ya kina',
  country: 'Nchi',
  changeRole: 'Badilisha jukumu',
  changeRoleTitle: 'Badilisha jukumu',
  changeRoleText: 'Ruhusa zilizotolewa na zilizoondolewa hubaki kama zilivyo.',
  save: 'Hifadhi',
  roleChanged: 'Jukumu limebadilishwa.',
  remove: 'Ondoa',
  removeTitle: 'Ungependa kumwondoa mwanachama huyu?',
  removeText: (name: string) =>
    `${name} anapoteza ufikiaji mara moja. Funguo zake za API zinaacha kufanya kazi pia.`,
  removed: 'Mwanachama ameondolewa.',
  permissions: 'Ruhusa',
  permission: 'Ruhusa',
  byRole: 'Kutokana na jukumu',
  adjustment: 'Iliyorekebishwa',
  effective: 'Inayotumika',
  yes: 'ndiyo',
  no: 'hapana',
  granted: 'Imetolewa',
  revoked: 'Imeondolewa',
  self: 'Huwezi kubadilisha jukumu au ruhusa zako mwenyewe.',
  above: 'Mwanachama huyu ana jukumu la juu zaidi au ruhusa nyingi kuliko wewe.',
  lack: 'Huna ruhusa hii, kwa hiyo huwezi kuitoa.',
  savePermissions: 'Hifadhi ruhusa',
  unsaved: (count: number) =>
    plural(count, { one: 'badiliko # halijahifadhiwa', other: 'mabadiliko # hayajahifadhiwa' }),
  discard: 'Tupa',
  saved: 'Ruhusa zimehifadhiwa.',
}

export const invitations: Translated<typeof englishInvitations> = {
  title: 'Mialiko',
  email: 'Barua pepe',
  role: 'Jukumu',
  status: 'Hali',
  statuses: {
    pending: 'Uko wazi',
    accepted: 'Umekubaliwa',
    revoked: 'Umebatilishwa',
    expired: 'Muda umekwisha',
  },
  invitedBy: 'Aliyealika',
  expires: 'Mwisho wa muda',
  created: 'Tarehe ya kutumwa',
  actions: 'Vitendo',
  empty: 'Bado hakuna mialiko',
  emptyText: 'Aliyealikwa anapata barua pepe yenye kiungo kinachofanya kazi mara moja, ndani ya siku saba.',
  invite: 'Alika',
  inviteTitle: 'Alika mtu',
  inviteText:
    'Atapata barua pepe yenye kiungo kinachofanya kazi mara moja na kinachokwisha muda baada ya siku saba.',
  send: 'Tuma mwaliko',
  sent: 'Mwaliko umetumwa.',
  revoke: 'Batilisha',
  revokeOf: (email: string) => `Batilisha mwaliko wa ${email}`,
  revokeTitle: 'Ungependa kubatilisha mwaliko huu?',
  revokeText: 'Kiungo chake kinaacha kufanya kazi mara moja.',
  revoked: 'Mwaliko umebatilishwa.',
}

export const auditLog: Translated<typeof englishAuditLog> = {
  title: 'Rekodi ya ukaguzi',
  at: 'Wakati',
  who: 'Nani',
  credential: {
    api_key: 'kwa ufunguo wa API',
    jwt: 'kwa tokeni ya ufikiaji',
    session: 'kwenye dashibodi',
    payment_link: 'kwenye ukurasa wa malipo',
  },
  action: 'Kitendo',
  resourceType: 'Aina',
  resource: 'Rasilimali',
  changes: 'Mabadiliko',
  changed: (count: number) => plural(count, { one: 'sehemu #', other: 'sehemu #' }),
  noChange: 'hakuna kilichorekodiwa',
  field: 'Sehemu',
  before: 'Kabla',
  after: 'Baada',
  nothing: '–',
  from: 'Kuanzia',
  to: 'Hadi',
  ip: 'Anwani',
  empty: 'Bado hakuna maingizo',
  emptyText:
    'Kila badiliko katika shirika lako hurekodiwa hapa: nani alilifanya, nini kilibadilika, lini na kutoka wapi.',
}
