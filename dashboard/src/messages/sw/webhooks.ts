import type { Translated } from '../translated.ts'
import type {
  webhooks as englishWebhooks,
  deliveries as englishDeliveries,
  events as englishEvents,
  deadLetters as englishDeadLetters,
} from '../en/webhooks.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('sw')

export const webhooks: Translated<typeof englishWebhooks> = {
  title: 'Webhook',
  lists: 'Orodha za Webhook',
  endpoints: 'Vituo vya kupokea',
  events: 'Matukio',
  deadLetters: 'Jumbe zilizoshindikana',
  url: 'Anwani',
  description: 'Maelezo',
  subscribed: 'Matukio',
  allEvents: 'Yote, pamoja na yatakayoongezwa',
  someEvents: (count: number) => plural(count, { one: 'aina #', other: 'aina #' }),
  status: 'Hali',
  statuses: { active: 'Kinatumika', paused: 'Kimesimamishwa', disabled: 'Kimezimwa' },
  updated: 'Tarehe ya kusasishwa',
  created: 'Tarehe ya kuundwa',
  id: 'Kitambulisho cha kituo',
  empty: 'Bado hakuna vituo vya kupokea',
  emptyText:
    'Kituo cha kupokea ni anwani yako inayopokea matukio, kwa mfano malipo yaliyokamilika. Kila wasilisho limetiwa sahihi.',
  add: 'Ongeza kituo cha kupokea',
  addText: 'Anwani lazima iwe ya umma na itumie https, kwenye mlango 443 au 8443.',
  edit: 'Hariri',
  editTitle: 'Hariri kituo hiki cha kupokea',
  save: 'Hifadhi',
  saved: 'Kituo cha kupokea kimehifadhiwa.',
  chooseHint: 'Usipochagua, kituo kinapata kila aina, pamoja na zitakazoongezwa baadaye.',
  secretTitle: 'Siri ya sahihi',
  secretText: 'Mfumo wako hukagua sahihi ya kila wasilisho kwa siri hii.',
  secretLabel: 'siri ya sahihi',
  rotate: 'Fanya siri upya',
  rotateTitle: 'Ungependa kufanya siri ya sahihi upya?',
  rotateText:
    'Kwa saa 24 kila wasilisho hutiwa sahihi kwa siri zote mbili katika webhook-signature; X-Service-Signature hutumia mpya mara moja.',
  test: 'Tuma tukio la majaribio',
  testTitle: 'Tuma tukio la majaribio',
  testText: 'Tukio linawekwa alama ya majaribio na kutumwa kwa kituo hiki pekee.',
  testType: 'Aina ya tukio',
  tested: 'Tukio la majaribio liko njiani.',
  pause: 'Simamisha',
  paused: 'Kituo cha kupokea kimesimamishwa. Mawasilisho yake yanahifadhiwa.',
  resume: 'Endeleza',
  resumed: 'Kituo cha kupokea kinatumika.',
  disabledText:
    'Kituo hiki kilizimwa baada ya siku tano bila wasilisho lililofanikiwa. Kiendeleze mfumo wako unapofanya kazi tena.',
  recover: 'Rejesha matukio',
  recoverTitle: 'Tuma matukio yaliyokosekana',
  recoverText: 'Hutuma matukio yasiyozidi 1,000 ambayo kituo hiki hakijayapokea tangu wakati uliotajwa.',
  recoverSince: 'Tangu',
  recovered: (count: number) =>
    plural(count, { one: 'Tukio # liko njiani.', other: 'Matukio # yako njiani.' }),
  remove: 'Futa',
  removeTitle: 'Ungependa kufuta kituo hiki cha kupokea?',
  removeText: 'Kinafutwa mara moja, pamoja na mawasilisho yake. Matukio yanabaki.',
  removed: 'Kituo cha kupokea kimefutwa.',
  details: 'Maelezo ya kina',
  latest: 'Mawasilisho ya karibuni',
  allDeliveries: 'Mawasilisho yote',
}

export const deliveries: Translated<typeof englishDeliveries> = {
  title: 'Mawasilisho',
  one: 'Wasilisho',
  empty: 'Bado hakuna mawasilisho',
  emptyText: 'Mawasilisho huonekana hapa mara tu tukio linapotokea. Tuma tukio la majaribio ili kujaribu.',
  event: 'Tukio',
  eventType: 'Aina ya tukio',
  status: 'Hali',
  statuses: {
    pending: 'Linasubiri',
    succeeded: 'Limefanikiwa',
    dead: 'Limeachwa',
    replayed: 'Limetumwa tena',
  },
  attempts: 'Majaribio',
  response: 'Jibu la mwisho',
  noResponse: 'hakuna',
  next: 'Jaribio linalofuata',
  created: 'Tarehe ya kuundwa',
  updated: 'Tarehe ya kusasishwa',
  id: 'Kitambulisho cha wasilisho',
  endpoint: 'Kituo cha kupokea',
  body: 'Maudhui kama yalivyotiwa sahihi na kutumwa',
  attempt: (count: number) => `Jaribio ${count}`,
  noAttempts: 'Bado hakuna jaribio',
  noAttemptsText: 'Jaribio la kwanza linafuata ndani ya sekunde chache.',
  duration: (ms: number) => `ms ${ms}`,
  requestHeaders: 'Vichwa vya ombi',
  responseBody: 'Maudhui ya jibu',
  replay: 'Tuma tena',
  replayText: 'Kituo hiki kinapata tukio tena, kwa kitambulisho chake cha awali.',
  replayed: 'Tukio liko njiani tena, kwa kitambulisho chake cha awali.',
}

export const events: Translated<typeof englishEvents> = {
  title: 'Matukio',
  type: 'Aina ya tukio',
  resource: 'Rasilimali',
  sequence: 'Mfuatano',
  created: 'Lilitokea',
  id: 'Kitambulisho cha tukio',
  delivery: 'Wasilisho',
  empty: 'Bado hakuna matukio',
  emptyText:
    'Kila badiliko ambalo mifumo hujulishwa hurekodiwa hapa, hata kabla ya kuwapo kituo cha kupokea.',
  body: 'Maudhui',
  deliveries: 'Mawasilisho',
  noDeliveries: 'Halikuwasilishwa kwa kituo chochote',
  noDeliveriesText: 'Hakuna kituo kilichojiandikisha kwa aina hii tukio lilipotokea.',
  replay: 'Tuma tena kwa vituo vyote',
  replayTitle: 'Ungependa kutuma tukio hili tena?',
  replayText:
    'Kila kituo kinachotumika kilichojiandikisha kwa aina yake kinalipata tena, kwa kitambulisho chake cha awali.',
}

export const deadLetters: Translated<typeof englishDeadLetters> = {
  title: 'Jumbe zilizoshindikana',
  empty: 'Hakuna jumbe zilizoshindikana',
  emptyText: 'Wasilisho linaloshindikana baada ya kila jaribio huhifadhiwa hapa hadi litumwe tena.',
  endpoint: 'Kituo cha kupokea',
  givenUp: 'Tarehe ya kuachwa',
  replay: 'Tuma tena',
  replayOf: (type: string) => `Tuma tena ${type}`,
  replayAll: 'Tuma zote tena',
  replayMatching: 'Tuma tena zote zinazolingana',
  replayTitle: 'Ungependa kutuma tena jumbe zilizoshindikana?',
  replayText:
    'Kila ujumbe ulioshindikana wa vichujio hivi unatumwa tena. Mifumo inayopokea hutambua marudio kwa kitambulisho cha tukio.',
  replayed: (count: number) =>
    plural(count, {
      one: 'Ujumbe # ulioshindikana uko njiani.',
      other: 'Jumbe # zilizoshindikana ziko njiani.',
    }),
}
