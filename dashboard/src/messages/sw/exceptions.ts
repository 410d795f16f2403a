import type { Translated } from '../translated.ts'
import type {
  exceptions as englishExceptions,
  exceptionKinds as englishExceptionKinds,
} from '../en/exceptions.ts'

export const exceptions: Translated<typeof englishExceptions> = {
  title: 'Kasoro',
  kind: 'Aina',
  status: 'Hali',
  statuses: { open: 'Iliyo wazi', closed: 'Iliyofungwa' },
  mine: 'Anayeshughulikia',
  me: 'Mimi',
  summary: 'Kilichobainika',
  held: 'Zimeshikiliwa',
  assignee: 'Anayeshughulikia',
  nobody: 'hakuna mtu',
  since: 'Ilipojitokeza',
  empty: 'Hakuna kasoro',
  emptyText: 'Mambo ambayo huduma haipaswi kuamua yenyewe huonekana hapa, kwa mfano malipo yenye shaka.',
}

/** What each kind is called, and what it means. */
export const exceptionKinds: Translated<typeof englishExceptionKinds> = {
  outcome_unknown: {
    name: 'Matokeo hayajulikani',
    meaning:
      'Mtoa huduma huenda alitekeleza malipo au hakutekeleza. Hayatumwi tena na hayahesabiwi kuwa yameshindikana.',
  },
  pending_too_long: {
    name: 'Yanasubiri muda mrefu mno',
    meaning: 'Mtoa huduma ana malipo na kwa wiki nzima hajasema yaliyoyapata.',
  },
  late_success: {
    name: 'Mafanikio ya kuchelewa',
    meaning: 'Malipo yaliyokuwa yameshindikana yalilipwa hatimaye, na sasa yamekamilika.',
  },
  reversed_after_completion: {
    name: 'Yametenguliwa baada ya kukamilika',
    meaning: 'Mtoa huduma alitengua malipo aliyokuwa ameripoti kuwa yamekamilika.',
  },
  payin_reversed: {
    name: 'Malipo yanayoingia yametenguliwa',
    meaning: 'Pesa za mlipaji zilirudi, na salio lako lilipunguzwa.',
  },
  payout_returned: {
    name: 'Malipo yanayotoka yamerudishwa',
    meaning: 'Benki ya mpokeaji ilirudisha malipo yanayotoka.',
  },
  returned_to_account: {
    name: 'Zimerudi kwenye akaunti',
    meaning: 'Pesa zilizotolewa zilirudi na kuwekwa kwenye akaunti yake pepe.',
  },
  money_after_end: {
    name: 'Pesa baada ya mwisho',
    meaning: 'Pesa zilifika kwa malipo yaliyokuwa yamekwisha.',
  },
  amount_differs: {
    name: 'Kiasi kinatofautiana',
    meaning: 'Mtoa huduma anaripoti kiasi tofauti na cha malipo.',
  },
  resolution_contradicted: {
    name: 'Uamuzi umepingwa',
    meaning: 'Mtoa huduma anapinga kile ambacho watu wawili waliamua kuhusu malipo.',
  },
  refund_unknown: { name: 'Marejesho hayajulikani', meaning: 'Haijulikani kama marejesho yalitekelezwa.' },
  refund_elsewhere: {
    name: 'Marejesho yamefanyika kwingine',
    meaning: 'Marejesho yalifanyika kwa mtoa huduma mwenyewe.',
  },
  refund_unmatched: {
    name: 'Marejesho yasiyolingana',
    meaning: 'Mtoa huduma anaripoti marejesho yasiyolingana na yetu yoyote.',
  },
  refund_exceeds_payment: {
    name: 'Marejesho yanazidi malipo',
    meaning: 'Kilichorejeshwa kwa mtoa huduma kinazidi malipo yenyewe.',
  },
  refund_after_failure: {
    name: 'Marejesho baada ya kushindikana',
    meaning: 'Marejesho yaliyokuwa yameshindikana yalitekelezwa hatimaye.',
  },
  refund_reversed: { name: 'Marejesho yametenguliwa', meaning: 'Marejesho yaliyokamilika yalirudi.' },
  negative_balance: { name: 'Salio hasi', meaning: 'Salio liko chini ya kikomo chake.' },
  dispute_of_unpaid: {
    name: 'Mgogoro wa malipo yasiyolipwa',
    meaning: 'Mlipaji anapinga malipo ambayo hayajakamilika hapa.',
  },
  dispute_of_ramp: {
    name: 'Mgogoro wa ubadilishaji wa kripto',
    meaning: 'Mlipaji anapinga malipo ya ubadilishaji wa kripto.',
  },
  dispute_contradicted: {
    name: 'Mgogoro wenye ukinzani',
    meaning: 'Ujumbe kuhusu mgogoro haupatani.',
  },
  dispute_currency: {
    name: 'Mgogoro kwa sarafu nyingine',
    meaning: 'Mgogoro ulihamisha pesa kwa sarafu nyingine.',
  },
  dispute_exceeds_payment: {
    name: 'Mgogoro unazidi malipo',
    meaning: 'Mgogoro pamoja na marejesho vimerudisha zaidi ya kilicholipwa.',
  },
  dispute_of_refunded: {
    name: 'Mgogoro wa malipo yaliyorejeshwa',
    meaning: 'Mlipaji anapinga malipo yaliyorejeshwa: huenda akalipwa mara mbili.',
  },
  dispute_action_unknown: {
    name: 'Jibu halijulikani',
    meaning: 'Haijulikani kama mtoa huduma ana jibu letu kuhusu mgogoro.',
  },
  ramp_underpaid: {
    name: 'Ubadilishaji umelipwa pungufu',
    meaning: 'Kilichofika ni pungufu ya kinachohitajika na ubadilishaji wa kripto.',
  },
  ramp_overpaid: {
    name: 'Ubadilishaji umelipwa zaidi',
    meaning: 'Kilichofika kinazidi kinachohitajika na ubadilishaji wa kripto.',
  },
  ramp_paid_late: {
    name: 'Ubadilishaji umelipwa kwa kuchelewa',
    meaning: 'Pesa zilifika baada ya muda wa ubadilishaji wa kripto kwisha.',
  },
  ramp_paid_again: {
    name: 'Ubadilishaji umelipwa mara mbili',
    meaning: 'Ubadilishaji wa kripto ulilipwa mara ya pili.',
  },
  ramp_not_delivered: {
    name: 'Ubadilishaji haujakamilishwa',
    meaning: 'Pesa zilifika na hazikuweza kulipwa nje.',
  },
  ramp_unknown: {
    name: 'Ubadilishaji haujulikani',
    meaning: 'Haijulikani kilichoipata sehemu moja ya ubadilishaji wa kripto.',
  },
  ramp_amount_differs: {
    name: 'Kiasi cha ubadilishaji kinatofautiana',
    meaning: 'Mtoa huduma anaripoti kiasi tofauti na cha sehemu hiyo.',
  },
  ramp_reversed: {
    name: 'Ubadilishaji umetenguliwa',
    meaning: 'Sehemu iliyokamilika ya ubadilishaji wa kripto ilitenguliwa.',
  },
  ramp_money_after_end: {
    name: 'Pesa baada ya mwisho wa ubadilishaji',
    meaning: 'Pesa zilifika kwa ubadilishaji wa kripto uliokuwa umekwisha.',
  },
  change_control_off: {
    name: 'Udhibiti wa mabadiliko umezimwa',
    meaning: 'Msimamizi pekee wa shirika alizima hitaji la mtu wa pili.',
  },
  unknown_reference: {
    name: 'Kumbukumbu isiyojulikana',
    meaning: 'Ujumbe wa mtoa huduma unataja malipo yasiyojulikana hapa.',
  },
  message_from_other_account: {
    name: 'Ujumbe kutoka akaunti nyingine',
    meaning: 'Akaunti ilituma ujumbe kuhusu malipo ya akaunti nyingine.',
  },
  reconciliation_failed: {
    name: 'Ulinganishaji umeshindikana',
    meaning: 'Orodha ya akaunti ya mtoa huduma haikuweza kusomwa.',
  },
  reversal_missed: {
    name: 'Utenguzi uliokosekana',
    meaning: 'Orodha ya mtoa huduma ina utenguzi ambao haukuripotiwa.',
  },
  refund_missed: {
    name: 'Marejesho yaliyokosekana',
    meaning: 'Orodha ya mtoa huduma ina marejesho ambayo hayakuripotiwa.',
  },
  deposit_taken_back: {
    name: 'Amana imerudishwa',
    meaning: 'Mtoa huduma amechukua tena amana iliyowekwa kwenye akaunti pepe.',
  },
  deposit_missed: {
    name: 'Amana iliyokosekana',
    meaning: 'Orodha ya mtoa huduma ina amana ambayo haikuripotiwa.',
  },
  missing_here: {
    name: 'Yanakosekana hapa',
    meaning: 'Orodha ya mtoa huduma ina malipo yasiyojulikana hapa.',
  },
  missing_there: {
    name: 'Yanakosekana kwa mtoa huduma',
    meaning: 'Malipo yetu hayamo kwenye orodha ya mtoa huduma.',
  },
  state_differs: {
    name: 'Hali inatofautiana',
    meaning: 'Orodha ya mtoa huduma ina hali tofauti ya malipo na tuliyo nayo.',
  },
  escrow_payout_failed: {
    name: 'Malipo ya dhamana yameshindikana',
    meaning: 'Mgao wa hatua haukuweza kulipwa.',
  },
  unmatched_deposit: {
    name: 'Amana isiyolingana',
    meaning: 'Pesa zilifika na hakuna akaunti pepe inayohusika. Zinashikiliwa hadi mtu aamue.',
  },
}
