// Written by packages/go-regexp/generator/main.go from Go's unicode package, version 15.0.0 of Unicode.
// All numbers are in base 36. A line break has no meaning, or means a space.

/**
 * The general category of each code point, starting with U+0000, and the number of consecutive code
 * points with that category.
 */
export const CATEGORY_RUNS = `
CcwZs1Po3Sc1Po3Ps1Pe1Po1Sm1Po1Pd1Po2NdaPo2Sm3Po2LuqPs1Po1Pe1Sk1Pc1Sk1LlqPs1Sm1Pe1Sm1CcxZs1Po1Sc4So1
Po1Sk1So1Lo1Pi1Sm1Cf1So1Sk1So1Sm1No2Sk1Ll1Po2Sk1No1Lo1Pf1No3Po1LunSm1Lu7LloSm1Ll8Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll2Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll2
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu2Ll1Lu1Ll1Lu1Ll3Lu2Ll1Lu1Ll1Lu2Ll1Lu3Ll2Lu4Ll1Lu2Ll1Lu3Ll3
Lu2Ll1Lu2Ll1Lu1Ll1Lu1Ll1Lu2Ll1Lu1Ll2Lu1Ll1Lu2Ll1Lu3Ll1Lu1Ll1Lu2Ll2Lo1Lu1Ll3Lo4Lu1Lt1Ll1Lu1Lt1Ll1Lu1
Lt1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll2Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll2Lu1Lt1Ll1Lu1Ll1Lu3Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll7Lu2Ll1Lu2Ll2Lu1Ll1Lu4Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1xLo1LlrLmiSk4LmcSkeLm5Sk7Lm1Sk1Lm1SkhMn34Lu1
Ll1Lu1Ll1Lm1Sk1Lu1Ll1Cn2Lm1Ll3Po1Lu1Cn4Sk2Lu1Po1Lu3Cn1Lu1Cn1Lu2Ll1LuhCn1Lu9LlzLu1Ll2Lu3Ll3Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll5Lu1Ll1Sm1Lu1Ll1Lu2Ll2Lu1fLl1cLu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1So1
Mn5Me2Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu2Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll2Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Cn1Lu12Cn2Lm1Po6Ll15Po1Pd1Cn2So2Sc1Cn1Mn19Pd1Mn1Po1Mn2Po1Mn2Po1Mn1Cn8LorCn4Lo4Po2CnbCf6Sm3Po2Sc1
Po2So2MnbPo1Cf1Po3LowLm1LoaMnlNdaPo4Lo2Mn1Lo2rPo1Lo1Mn7Cf1So1Mn6Lm2Mn2So1Mn4Lo2NdaLo3So2Lo1PoeCn1Cf1
Lo1Mn1LouMnrCn2Lo2hMnbLo1CneNdaLoxMn9Lm2So1Po3Lm1Cn2Mn1Sc2LomMn4Lm1Mn9Lm1Mn3Lm1Mn5Cn2PofCn1LopMn3Cn2
Po1Cn1LobCn5LooSk1Lo6Cn1Cf2Cn6Mn8Lo15Lm1MnoCf1MnwMc1Lo1iMn1Mc1Mn1Lo1Mc3Mn8Mc4Mn1Mc2Lo1Mn7LoaMn2Po2
NdaPo1Lm1LofMn1Mc2Cn1Lo8Cn2Lo2Cn2LomCn1Lo7Cn1Lo1Cn3Lo4Cn2Mn1Lo1Mc3Mn4Cn2Mc2Cn2Mc2Mn1Lo1Cn8Mc1Cn4Lo2
Cn1Lo3Mn2Cn2NdaLo2Sc2No6So1Sc1Lo1Po1Mn1Cn2Mn2Mc1Cn1Lo6Cn4Lo2Cn2LomCn1Lo7Cn1Lo2Cn1Lo2Cn1Lo2Cn2Mn1Cn1
Mc3Mn2Cn4Mn2Cn2Mn3Cn3Mn1Cn7Lo4Cn1Lo1Cn7NdaMn2Lo3Mn1Po1CnaMn2Mc1Cn1Lo9Cn1Lo3Cn1LomCn1Lo7Cn1Lo2Cn1Lo5
Cn2Mn1Lo1Mc3Mn5Cn1Mn2Mc1Cn1Mc2Mn1Cn2Lo1CnfLo2Mn2Cn2NdaPo1Sc1Cn7Lo1Mn6Cn1Mn1Mc2Cn1Lo8Cn2Lo2Cn2LomCn1
Lo7Cn1Lo2Cn1Lo5Cn2Mn1Lo1Mc1Mn1Mc1Mn4Cn2Mc2Cn2Mc2Mn1Cn7Mn2Mc1Cn4Lo2Cn1Lo3Mn2Cn2NdaSo1Lo1No6CnaMn1Lo1
Cn1Lo6Cn3Lo3Cn1Lo4Cn3Lo2Cn1Lo1Cn1Lo2Cn3Lo2Cn3Lo3Cn3LocCn4Mc2Mn1Mc2Cn3Mc3Cn1Mc3Mn1Cn2Lo1Cn6Mc1CneNda
No3So6Sc1So1Cn5Mn1Mc3Mn1Lo8Cn1Lo3Cn1LonCn1LogCn2Mn1Lo1Mn3Mc4Cn1Mn3Cn1Mn4Cn7Mn2Cn1Lo3Cn2Lo1Cn2Lo2Mn2
Cn2NdaCn7Po1No7So1Lo1Mn1Mc2Po1Lo8Cn1Lo3Cn1LonCn1LoaCn1Lo5Cn2Mn1Lo1Mc1Mn1Mc5Cn1Mn1Mc2Cn1Mc2Mn2Cn7Mc2
Cn6Lo2Cn1Lo2Mn2Cn2NdaCn1Lo2Mc1CncMn2Mc2Lo9Cn1Lo3Cn1Lo15Mn2Lo1Mc3Mn4Cn1Mc3Cn1Mc3Mn1Lo1So1Cn4Lo3Mc1No7
Lo3Mn2Cn2NdaNo9So1Lo6Cn1Mn1Mc2Cn1LoiCn3LooCn1Lo9Cn1Lo1Cn2Lo7Cn3Mn1Cn4Mc3Mn3Cn1Mn1Cn1Mc8Cn6NdaCn2Mc2
Po1CncLo1cMn1Lo2Mn7Cn4Sc1Lo6Lm1Mn8Po1NdaPo2Cn11Lo2Cn1Lo1Cn1Lo5Cn1LooCn1Lo1Cn1LoaMn1Lo2Mn9Lo1Cn2Lo5
Cn1Lm1Cn1Mn7Cn1NdaCn2Lo4CnwLo1So3PofSo1Po1So3Mn2So6NdaNoaSo1Mn1So1Mn1So1Mn1Ps1Pe1Ps1Pe1Mc2Lo8Cn1Lo10
Cn4MneMc1Mn5Po1Mn2Lo5MnbCn1Mn10Cn1So8Mn1So6Cn1So2Po5So4Po2Cn11Lo17Mc2Mn4Mc1Mn6Mc1Mn2Mc2Mn2Lo1NdaPo6
Lo6Mc2Mn2Lo4Mn3Lo1Mc3Lo2Mc7Lo3Mn4LodMn1Mc2Mn2Mc6Mn1Lo1Mc1NdaMc3Mn1So2Lu12Cn1Lu1Cn5Lu1Cn2Ll17Po1Lm1
Ll3Lo95Cn1Lo4Cn2Lo7Cn1Lo1Cn1Lo4Cn2Lo15Cn1Lo4Cn2LoxCn1Lo4Cn2Lo7Cn1Lo1Cn1Lo4Cn2LofCn1Lo1lCn1Lo4Cn2Lo1v
Cn2Mn3Po9NokCn3LogSoaCn6Lu2eCn2Ll6Cn2Pd1Loh8So1Po1LohZs1LoqPs1Pe1Cn3Lo23Po3Nl3Lo8Cn7LoiMn3Mc1Cn9Loj
Mn2Mc1Po2Cn9LoiMn2CncLodCn1Lo3Cn1Mn2CncLo1gMn2Mc1Mn7Mc8Mn1Mc2MnbPo3Lm1Po3Sc1Lo1Mn1Cn2NdaCn6NoaCn6Po6
Pd1Po4Mn3Cf1Mn1NdaCn6LozLm1Lo1hCn7Lo5Mn2LoyMn1Lo1Cn5Lo1yCnaLovCn1Mn3Mc4Mn2Mc3Cn4Mc2Mn1Mc6Mn3Cn4So1
Cn3Po2NdaLouCn2Lo5CnbLo18Cn4LoqCn6NdaNo1Cn3SoyLonMn2Mc2Mn1Cn2Po2Lo1hMc1Mn1Mc1Mn7Cn1Mn1Mc1Mn1Mc2Mn8
Mc6MnaCn2Mn1NdaCn6NdaCn6Po7Lm1Po6Cn2MneMe1MngCn1dMn4Mc1Lo1bMn1Mc1Mn5Mc1Mn1Mc5Mn1Mc2Lo8Cn3NdaPo7Soa
Mn9So9Po2Cn1Mn2Mc1LouMc1Mn4Mc2Mn2Mc1Mn3Lo2NdaLo18Mn1Mc1Mn2Mc3Mn1Mc1Mn3Mc2Cn8Po4Lo10Mc8Mn8Mc2Mn2Cn3
Po5NdaCn3Lo3NdaLouLm6Po2Ll9Cn7Lu17Cn2Lu3Po8Cn8Mn3Po1MndMc1Mn7Lo4Mn1Lo6Mn1Lo2Mc1Mn2Lo1Cn5Ll18Lm1rLld
Lm1LlyLm11Mn1sLu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll9Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll9Lu8Ll6Cn2Lu6Cn2Ll8Lu8Ll8Lu8Ll6Cn2
Lu6Cn2Ll8Cn1Lu1Cn1Lu1Cn1Lu1Cn1Lu1Ll8Lu8LleCn2Ll8Lt8Ll8Lt8Ll8Lt8Ll5Cn1Ll2Lu4Lt1Sk1Ll1Sk3Ll3Cn1Ll2Lu4
Lt1Sk3Ll4Cn2Ll2Lu4Cn1Sk3Ll8Lu5Sk3Cn2Ll3Cn1Ll2Lu4Lt1Sk2Cn1ZsbCf5Pd6Po2Pi1Pf1Ps1Pi2Pf1Ps1Pi1Po8Zl1Zp1
Cf5Zs1Po9Pi1Pf1Po4Pc2Po3Sm1Ps1Pe1PobSm1Po1Pc1PoaZs1Cf5Cn1CfaNo1Lm1Cn2No6Sm3Ps1Pe1Lm1NoaSm3Ps1Pe1Cn1
LmdCn3ScxCnfMndMe4Mn1Me3MncCnfSo2Lu1So4Lu1So2Ll1Lu3Ll2Lu3Ll1So1Lu1So2Sm1Lu5So6Lu1So1Lu1So1Lu1So1Lu4
So1Ll1Lu4Ll1Lo4Ll1So2Ll2Lu2Sm5Lu1Ll4So1Sm1So2Ll1So1NogNlzLu1Ll1Nl4No1So2Cn4Sm5So5Sm2So4Sm1So2Sm1So2
Sm1So7Sm1SovSm2So2Sm1So1Sm1SovSm7gSo8Ps1Pe1Ps1Pe1SokSm2So7Ps1Pe1So29Sm1SouSmpSo14Sm6So1xCnpSobCnl
No1oSo26NomSo53Sm1So9Sm1So1iSm8So33Sm1So6wPs1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1NouSo18Sm5Ps1Pe1
SmvPs1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1SmgSo74Sm3nPs1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1
Ps1Pe1Ps1Pe1Sm1rPs1Pe1Ps1Pe1SmwPs1Pe1Sm76So1cSmlSo2Sm6So13Cn2SowCn1So2xLu1cLl1cLu1Ll1Lu3Ll2Lu1Ll1Lu1
Ll1Lu1Ll1Lu4Ll1Lu1Ll2Lu1Ll6Lm2Lu3Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll2So6Lu1Ll1Lu1Ll1Mn3Lu1Ll1Cn5Po4No1Po2Ll12Cn1Ll1Cn5Ll1Cn2Lo1kCn7Lm1
Po1CneMn1LonCn9Lo7Cn1Lo7Cn1Lo7Cn1Lo7Cn1Lo7Cn1Lo7Cn1Lo7Cn1Lo7Cn1MnwPo2Pi1Pf1Pi1Pf1Po3Pi1Pf1Po1Pi1Pf1
Po9Pd1Po2Pd1Po1Pi1Pf1Po2Pi1Pf1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Po5Lm1PoaPd2Po4Pd1Po1Ps1PodSo2Po3Ps1Pe1Ps1Pe1
Ps1Pe1Ps1Pe1Pd1CnySoqCn1So2hCncSo5yCnqSocCn4Zs1Po3So1Lm1Lo1Nl1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1So2Ps1
Pe1Ps1Pe1Ps1Pe1Ps1Pe1Pd1Ps1Pe2So1Nl9Mn4Mc2Pd1Lm5So2Nl3Lm1Lo1Po1So2Cn1Lo2eCn2Mn2Sk2Lm2Lo1Pd1Lo2iPo1
Lm3Lo1Cn5Lo17Cn1Lo2mCn1So2No4SoaLowSo10CncLogSovCn1NoaSouNo8So1NofSowNoaSo13NofSo8wLo534So1sLog7pLm1
LovrCn3So1jCn9Lo14Lm6Po2Lo7gLm1Po3LogNdaLo2CnkLu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lo1Mn1Me3Po1Mna
Po1Lm1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lm2Mn2Lo1y
NlaMn2Po6Cn8SknLm9Sk2Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll3Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1
Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lm1Ll8Lu1Ll1Lu1Ll1Lu2Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1
Lm1Sk2Lu1Ll1Lu1Ll1Lo1Lu1Ll1Lu1Ll3Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu5Ll1
Lu5Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu1Ll1Lu4Ll1Lu1Ll1Cn5Lu1Ll1Cn1Ll1Cn1Ll1Lu1Ll1Lu1Ll1CnoLm3
Lu1Ll1Lo1Lm2Ll1Lo7Mn1Lo3Mn1Lo4Mn1LonMc2Mn2Mc1So4Mn1Cn3No6So2Sc1So1Cn6Lo1gPo4Cn8Mc2Lo1eMcgMn2Cn8Po2
NdaCn6MniLo6Po3Lo1Po1Lo2Mn1NdaLosMn8Po2LonMnbMc2CnbPo1LotCn3Mn3Mc1Lo1bMn1Mc2Mn4Mc2Mn2Mc3PodCn1Lm1Nda
Cn4Po2Lo5Mn1Lm1Lo9NdaLo5Cn1Lo15Mn6Mc2Mn2Mc2Mn2Cn9Lo3Mn1Lo8Mn1Mc1Cn2NdaCn2Po4LogLm1Lo6So3Lo1Mc1Mn1Mc1
Lo1eMn1Lo1Mn3Lo2Mn2Lo5Mn2Lo1Mn1Lo1CnoLo2Lm1Po2LobMc1Mn2Mc2Po2Lo1Lm2Mc1Mn1CnaLo6Cn2Lo6Cn2Lo6Cn9Lo7Cn1
Lo7Cn1Ll17Sk1Lm4Ll9Lm1Sk2Cn4Ll28LozMc2Mn1Mc2Mn1Mc2Po1Mc1Mn1Cn2NdaCn6Lo8mcCncLonCn4Lo1dCn4Cs1kwCo4xs
Loa6Cn2Lo2yCn12Ll7CncLl5Cn5Lo1Mn1LoaSm1LodCn1Lo5Cn1Lo1Cn1Lo2Cn1Lo2Cn1Lo30SkhCngLoa3Pe1Ps1SogLo1sCn2
Lo1iCn7So1CnwLocSc1So3MngPo7Ps1Pe1Po1Cn6MngPo1Pd2Pc2Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1Ps1Pe1
Po2Ps1Pe1Po4Pc3Po3Cn1Po4Pd1Ps1Pe1Ps1Pe1Ps1Pe1Po3Sm1Pd1Sm3Cn1Po1Sc1Po2Cn4Lo5Cn1Lo3rCn2Cf1Cn1Po3Sc1Po3
Ps1Pe1Po1Sm1Po1Pd1Po2NdaPo2Sm3Po2LuqPs1Po1Pe1Sk1Pc1Sk1LlqPs1Sm1Pe1Sm1Ps1Pe1Po1Ps1Pe1Po2LoaLm1Lo19Lm2
LovCn3Lo6Cn2Lo6Cn2Lo6Cn2Lo3Cn3Sc2Sm1Sk1So1Sc2Cn1So1Sm4So2CnaCf3So2Cn2LocCn1LoqCn1LojCn1Lo2Cn1LofCn2
LoeCnyLo3fCn5Po3Cn4No19Cn3So9Nl1hNo4SohNo2So3Cn1SodCn3So1Cn1bSo19Mn1Cn3mLotCn3Lo1dCnfMn1NorCn4LowNo4
Cn9LokNl1Lo8Nl1Cn5Lo12Mn5Cn5LouCn1Po1Lo10Cn4Lo8Po1Nl5Cn16Lu14Ll14Lo26Cn2NdaCn6Lu10Cn4Ll10Cn4Lo14Cn8
Lo1gCnbPo1LubCn1LufCn1Lu7Cn1Lu2Cn1LlbCn1LlfCn1Ll7Cn1Ll2Cn1vLo8nCn9LomCnaLo8CnoLm6Cn1Lm16Cn1Lm9Cn1x
Lo6Cn2Lo1Cn1Lo18Cn1Lo2Cn3Lo1Cn2LonCn1Po1No8LonSo2No7LovCn8No9Cn1cLojCn1Lo2Cn5No5LomNo6Cn3Po1LoqCn5
Po1Cn1sLo1kCn4No2Lo2NogCn2No1aLo1Mn3Cn1Mn2Cn5Mn4Lo4Cn1Lo3Cn1LotCn2Mn3Cn4Mn1No9Cn7Po9Cn7LotNo2Po1Lot
No3CnwLo8So1LosMn2Cn4No5Po7Cn9Lo1iCn3Po7LomCn2No8LojCn5No8LoiCn7Po4CncNo7Cn28Lo21Cn1jLu1fCndLl1fCn7
No6Lo10Mn4Cn8NdaCn86NovCn1Lo16Cn1Mn2Pd1Cn2Lo2Cn23Mn3LotNoaLo1Cn8LomMnbNo4Po5CnmLoiMn4Po4Cn12LolNo7
CnkLonCn9Mc1Mn1Mc1Lo1hMnfPo7Cn4NokNdaMn1Lo2Mn2Lo1Cn9Mn3Mc1Lo19Mc3Mn4Mc2Mn2Po2Cf1Po4Mn1CnaCf1Cn2Lop
Cn7NdaCn6Mn3Lo10Mn5Mc1Mn8Cn1NdaPo4Lo1Mc2Lo1Cn8LozMn1Po2Lo1Cn9Mn2Mc1Lo1cMc3Mn9Mc2Lo4Po4Mn4Po1Mc1Mn1
NdaLo1Po1Lo1Po3Cn1NokCnbLoiCn1LopMc3Mn3Mc2Mn1Mc1Mn2Po6Mn1Lo2Mn1Cn1qLo7Cn1Lo1Cn1Lo4Cn1LofCn1LoaPo1Cn6
Lo1bMn1Mc3Mn8Cn5NdaCn6Mn2Mc2Cn1Lo8Cn2Lo2Cn2LomCn1Lo7Cn1Lo2Cn1Lo5Cn1Mn2Lo1Mc2Mn1Mc4Cn2Mc2Cn2Mc3Cn2Lo1
Cn6Mc1Cn5Lo5Mc2Cn2Mn7Cn3Mn5Cn3vLo1hMc3Mn8Mc2Mn3Mc1Mn1Lo4Po5NdaPo2Cn1Po1Mn1Lo3CnuLo1cMc3Mn6Mc1Mn1Mc4
Mn2Mc1Mn2Lo2Po1Lo1Cn8NdaCn4mLo1bMc3Mn4Cn2Mc4Mn2Mc1Mn2PonLo4Mn2CnyLo1cMc3Mn8Mc2Mn1Mc1Mn2Po3Lo1CnbNda
Cn6PodCnjLo17Mn1Mc1Mn1Mc2Mn6Mc1Mn1Lo1Po1Cn6NdaCn1iLorCn2Mn3Mc2Mn4Mc1Mn5Cn4NdaNo2Po3So1Lo7Cn55Lo18Mc3
Mn9Mc1Mn2Po1Cn2sLuwLlwNdaNo9CncLo8Cn2Lo1Cn2Lo8Cn1Lo2Cn1LooMc6Cn1Mc2Cn2Mn2Mc1Mn1Lo1Mc1Lo1Mc1Mn1Po3Cn9
NdaCn1yLo8Cn2Lo13Mc3Mn4Cn2Mn2Mc4Mn1Lo1Po1Lo1Mc1CnrLo1MnaLo14Mn6Mc1Lo1Mn4Po8Mn1Cn8Lo1Mn6Mc2Mn3Lo1aMnd
Mc1Mn2Po3Lo1Po5CndLo21Cn7PoaCn6uLo9Cn1Lo11Mc1Mn7Cn1Mn6Mc1Mn1Lo1Po5CnaNdaNojCn3Po2LouCn2MnmCn1Mc1Mn7
Mc1Mn2Mc1Mn2Cn21Lo7Cn1Lo2Cn1Lo12Mn6Cn3Mn1Cn1Mn2Cn1Mn7Lo1Mn1Cn8NdaCn6Lo6Cn1Lo2Cn1LowMc5Cn1Mn2Cn1Mc2
Mn1Mc1Mn1Lo1Cn7NdaCn8mLojMn2Mc2Po2Cn7Mn2Lo1Mc1LodCn1LoyMc2Mn5Cn3Mc2Mn1Mc1Mn1PodNdaCn2eLo1CnfNolSo8
Sc4SohCndPo1LopmCn2uNl33Cn1Po5CnbLo5gCn218Lo2pPo2CndLotsCfgMn1Lo6MnfCn33eLog7Cn6ntLoftCn7LovCn1Nda
Cn4Po2Lo27Cn1NdaCn6LouCn2Mn5Po1CnaLo1cMn7Po5So4Lm4Po1So1CnaNdaCn1No7Cn1LolCn5LojCnj4LuwLlwNonPo4Cn2t
Lo23Cn4Mn1Lo1Mc1jCn7Mn4LmdCn1sLm2Po1Lm1Mn1CnbMc2CneLo4qgCn8LoyeCn16Lo9Cn6w7Lm4Cn1Lm7Cn1Lm2Cn1Lo83Cnf
Lo1CntLo3Cn2Lo1CneLo4Cn8Lob0Cn1s4Lo2zCn5LodCn3Lo9Cn7LoaCn2So1Mn2Po1Cf4Cn3mkMn1aCn2MnnCn9So38Cn1oSo6u
CnaSo13Cn2So1oMc2Mn3So3Mc6Cf8Mn8So2Mn7SouMn4So1pCnlSo1uMn3So1Cn3eNokCncNokCncSo2fCn9NopCn3rLuqLlqLuq
Ll7Cn1LliLuqLlqLu1Cn1Lu2Cn2Lu1Cn2Lu2Cn2Lu4Cn1Lu8Ll4Cn1Ll1Cn1Ll7Cn1LlbLuqLlqLu2Cn1Lu4Cn2Lu8Cn1Lu7Cn1
LlqLu2Cn1Lu4Cn1Lu5Cn1Lu1Cn3Lu7Cn1LlqLuqLlqLuqLlqLuqLlqLuqLlqLuqLlqLuqLlsCn2LupSm1LlpSm1Ll6LupSm1Llp
Sm1Ll6LupSm1LlpSm1Ll6LupSm1LlpSm1Ll6LupSm1LlpSm1Ll6Lu1Ll1Cn2Nd1eSoe8Mn1jSo4Mn1eSo8Mn1SoeMn1So2Po5Cnf
Mn5Cn1MnfCnuoLlaLo1LlkCn6Ll6Cn5xMn7Cn1MnhCn2Mn7Cn1Mn2Cn1Mn5Cn5Lm1qCnxMn1Cn34Lo19Cn3Mn7Lm7Cn2NdaCn4
Lo1So1Cn8wLouMn1CnhLo18Mn4NdaCn5Sc1CncwLorLm1Mn4NdaCnkmLo7Cn1Lo4Cn1Lo2Cn1LofCn1Lo5hCn2No9Mn7Cn15Luy
LlyMn7Lm1Cn4NdaCn4Po2CnltNo1nSo1No3Sc1No4Cn24No19So1NofCn5eLo4Cn1LorCn1Lo2Cn1Lo1Cn2Lo1Cn1LoaCn1Lo4
Cn1Lo1Cn1Lo1Cn6Lo1Cn4Lo1Cn1Lo1Cn1Lo1Cn1Lo3Cn1Lo2Cn1Lo1Cn2Lo1Cn1Lo1Cn1Lo1Cn1Lo1Cn1Lo1Cn1Lo2Cn1Lo1Cn2
Lo4Cn1Lo7Cn1Lo4Cn1Lo4Cn1Lo1Cn1LoaCn1LohCn5Lo3Cn1Lo5Cn1LohCn1gSm2Cn7iSo18Cn4So2sCncSofCn2SofCn1SofCn1
So11CnaNodSo4hCn1kSotCndSo18Cn4So9Cn7So2CneSo6Cn4aSo6zSk5Sok8Cn4SohCn3SodCn3So3bCn4So2nCn6SocCn4So1
CnfSocCn4So1kCn8SoaCn6So14Cn8SouCn2So2Cn26So9gCncSoeCn2SodCn3So9Cn7So1aCn1So7Cn8SoeCn4So9Cn7So9Cn7
So43Cn1So1jCn11NdaCnsmLowyoCnwLo37eCn6Lo66Cn2Lo4g2CneLo5rlCn2e7Lof2Cn15uLo3t7Cn5Lo38gCnf975Cf1Cnu
Cf2oCn3kMn6oCn1e6oCo1ekeCn2Co1ekeCn2
`;

/**
 * The scripts with a name of one word. A range is given as the distance from the end of the previous one, and its
 * length.
 */
export const SCRIPT_RANGES: ReadonlyMap<string, string> = new Map([
  ["Adlam", "2olc,24 4,a 4,2"],
  ["Ahom", "1j40,r 2,f 4,n"],
  [
    "Arabic",
    `
16o,5 1,6 1,e 1,3 1,w 1,a b,q 1,30 1,y 28,1c 6o,v 1,2 6,22 1,t 1bv4,37 g,a3 2,28 2,1i 7,1 w,g 34,5
1,3r 31f,v 3i,3 181s,4 1,r 1,2 1,1 2,1 1,a 1,4 1,1 1,1 6,1 4,1 1,1 1,1 1,3 1,2 1,1 2,1 1,1 1,1 1,1
1,1 1,2 1,1 2,4 1,7 1,4 1,4 1,1 1,a 1,h 5,3 1,5 1,h 1g,2
`,
  ],
  ["Armenian", "10x,12 2,1e 2,3 1chv,5"],
  ["Avestan", "1gqo,1i 3,7"],
  ["Balinese", "5c0,25 3,1b"],
  ["Bamum", "www,2g 124o,ft"],
  ["Batak", "5hc,1g 8,4"],
  ["Bengali", "1vk,4 1,8 2,2 2,m 1,7 1,1 3,4 2,9 2,2 2,4 8,1 4,2 1,5 2,p"],
  ["Bhaiksuki", "1k3k,9 1,19 1,e a,t"],
  ["Bopomofo", "kq,2 93t,17 34,w"],
  ["Brahmi", "1hq8,26 4,10 9,1"],
  ["Braille", "7wg,74"],
  ["Buginese", "54w,s 2,2"],
  ["Buhid", "4lc,k"],
  ["Carian", "1f34,1d"],
  ["Chakma", "1hxc,1h 1,i"],
  ["Cham", "xkw,1j 9,e 2,a 2,4"],
  ["Cherokee", "3vk,2e 2,6 twy,28"],
  ["Chorasmian", "1ho0,s"],
  [
    "Common",
    `
0,1t q,6 q,1b 1,f 1,5 n,1 v,1 ch,13 5,5 2,k 38,1 9,1 6,1 1,1 hp,1 6,1 e,1 3,1 w,1 4c,1 ec,1 3l,2 yh,1
b9,4 82,1 167,3 1z,2 5n,2 1,1 y5,1 d,1 7,4 1,6 1,3 2,1 lh,c 2,2f 1,b 3,b 1,f h,x 1r,12 1,3 2,6 1,r
1,h 15,3 4,if p,b l,ps 74,hg 2,w 1,2x e8,2m b6,c 4,5 1,1 1,p f,8 4,4 2j,2 3,1 2i,2 43,g w,10 1o,1s
v,29 1b,1 2g,4o 534,1s hkw,y 2u,3 4l,a 6s,1 4g,1 az,1 e,2 g5u,2 5s,a m,z 1,j 1,4 43,1 1,w q,6 q,b a,1
19,2 1s,7 1,7 a,5 76,3 4,19 3,9 28,d 1f,19 6c,r 10o4,4 3os,38 1o,6u a,13 2,1q 3,h 8,2 7,u 4,1p 5x,k
c,k c,2f 9,p 3r,2d 1,1z 1,2 2,1 2,2 2,4 1,c 1,1 1,7 1,1t 1,4 2,8 1,7 1,s 1,4 1,5 1,1 3,7 1,9g 2,84
2,1e 41d,1w 24,1p jm,18 4,2s c,f 2,f 1,f 1,11 a,4u 1k,q 1,2 d,18 4,9 7,2 e,6 4a,rc 4,h 3,d 3,3b 4,2n
6,c 4,1 f,c 4,1k 8,a 6,14 8,u 2,2 26,9g c,e 2,d 3,9 7,1a 1,7 8,e 4,9 7,9 7,43 1,1j 11,a gvlz,1 u,2o
`,
  ],
  ["Coptic", "rm,e 80g,38 5,7"],
  ["Cuneiform", "1kw0,pm 2u,33 1,5 b,5g"],
  ["Cypriot", "1g5c,6 2,1 1,18 1,2 3,1 2,1"],
  ["Cyrillic", "sg,3p 2,4p 4ls,9 4i,1 24,1 38n,w nr4,2o ham,2 18n4,1q x,1"],
  ["Deseret", "1fcw,28"],
  ["Devanagari", "1s0,29 4,f 2,q vhc,w mio,a"],
  ["Dogra", "1jb4,1o"],
  ["Duployan", "2fpc,2z 5,d 3,9 7,a 2,4"],
  ["Elbasan", "1fk0,14"],
  ["Elymaic", "1hpc,n"],
  [
    "Ethiopic",
    `
3k0,21 1,4 2,7 1,1 1,4 2,15 1,4 2,x 1,4 2,7 1,1 1,4 2,f 1,1l 1,4 2,1v 2,w 3,q 546,n 9,7 1,7 1,7 1,7
1,7 1,7 1,7 1,7 opu,6 2,6 2,6 9,7 1,7 1qk1,7 1,4 1,2 1,f
`,
  ],
  ["Georgian", "3a8,12 1,1 5,1 2,17 1,4 2a8,17 2,3 37k,12 1,1 5,1"],
  ["Glagolitic", "8ow,2o 2e1s,7 1,h 2,7 1,2 1,5"],
  ["Gothic", "1f74,r"],
  ["Grantha", "1ibk,4 1,8 2,2 2,m 1,7 1,2 1,5 2,9 2,2 2,3 2,1 6,1 5,7 2,7 3,5"],
  [
    "Greek",
    `
og,4 1,3 2,4 1,1 4,1 1,1 1,3 1,1 1,k 1,1r e,g 4yu,5 1e,5 4,5 2c,1 8w,m 2,6 2,12 2,6 2,8 1,1 1,1 1,1
1,v 2,1h 1,f 1,e 2,6 1,j 2,3 1,9 87,1 rb2,1 gyi,27 h,1 155r,1y
`,
  ],
  ["Gujarati", "22p,3 1,9 1,3 1,m 1,7 1,2 1,5 2,a 1,3 1,3 2,1 f,4 2,c 7,7"],
  ["Gurmukhi", "1z5,3 1,6 4,2 2,m 1,7 1,2 1,2 1,2 2,1 1,5 4,2 2,3 3,1 7,4 1,1 7,h"],
  [
    "Han",
    `
96o,q 1,2h c,5y 1b,1 1,1 p,9 e,4 qs,534 1s,g74 hkw,a6 2,2y n48,2 c,2 sge,wyo w,37e 6,66 2,4g2 e,5rl
2e7,f2 15u,3t7 5,38g
`,
  ],
  ["Hangul", "3cw,74 5ym,2 75,2m 35,v 1t,v nhd,t hv,8mc c,n 4,1d 7tw,v 3,6 2,6 2,6 2,3"],
  ["Hanunoo", "4kg,l"],
  ["Hatran", "1gbk,j 1,2 5,5"],
  ["Hebrew", "13l,1j 8,r 4,6 1cfc,q 1,5 1,1 1,2 1,2 1,a"],
  ["Hiragana", "9j5,2e 6,3 23q9,7z i,1 t,3 crx,1"],
  [
    "Inherited",
    `
lc,34 7p,2 ck,b q,1 kg,4 3ff,v e9,3 1,d 1,7 4,1 6,1 3,2 5i,1s ek,2 5e,x 309,4 2z,2 14kl,g g,e r3,1
6a,1 38a,1 1138,1a 2,n f4,3 h,8 2,7 u,4 h45u,6o
`,
  ],
  ["Javanese", "xhc,26 2,a 4,2"],
  ["Kaithi", "1hts,1v a,1"],
  ["Kannada", "2gw,d 1,3 1,n 1,a 1,5 2,9 1,3 1,4 7,2 6,2 1,4 2,a 1,3"],
  ["Katakana", "9lt,2i 2,3 6o,g 5s,1b 1,2g 14b2,a 1,19 ytu,4 1,7 1,2 1,1 7z,3 1e,1 e,4"],
  ["Kawi", "1kow,h 1,15 3,s"],
  ["Kharoshthi", "1gjk,4 1,2 5,8 1,3 1,t 2,3 4,a 7,9"],
  ["Khmer", "4n4,2m 2,a 6,a di,w"],
  ["Khojki", "1i4g,i 1,1b"],
  ["Khudawadi", "1i9c,1n 5,a"],
  ["Lao", "2v5,2 1,1 1,5 1,o 1,1 1,n 2,5 1,1 1,7 1,a 2,4"],
  [
    "Latin",
    `
1t,q 6,q 1b,1 f,1 5,n 1,v 1,ch 13,5 55n,12 6,1d 5,4 5,d 1,1y 1t,74 a9,1 d,1 g,d 3x,2 6,1 r,1 h,15
253,w o82,2u 3,1s 5,2 1,1 1,5 o,e mo,17 1,9 1,4 fpy,7 t6,q 6,q 1lx,6 1,16 1,9 16it,v 6,6
`,
  ],
  ["Lepcha", "5j4,1k 3,f 3,3"],
  ["Limbu", "4xs,v 1,c 4,c 4,1 3,c"],
  ["Lisu", "wk0,1c o8g,1"],
  ["Lycian", "1f28,t"],
  ["Lydian", "1gdc,q 5,1"],
  ["Mahajani", "1hzk,13"],
  ["Makasar", "1ko0,p"],
  ["Malayalam", "2kg,d 1,3 1,1f 1,3 1,6 4,g 2,q"],
  ["Mandaic", "1mo,s 2,1"],
  ["Manichaean", "1gow,13 4,c"],
  ["Marchen", "1k6o,w 2,m 1,e"],
  ["Medefaidrin", "20cg,2j"],
  ["Miao", "20hs,23 4,1l 7,h"],
  ["Modi", "1iww,1x b,a"],
  ["Mongolian", "4qo,2 2,1 1,k 6,2h 7,17 1e45,d"],
  ["Mro", "1zk0,v 1,a 4,2"],
  ["Multani", "1i80,7 1,1 1,4 1,f 1,b"],
  ["Myanmar", "35s,4g u9s,v 2p,w"],
  ["Nabataean", "1g8w,v 8,9"],
  ["Nandinagari", "1jmo,8 2,1a 2,b"],
  ["Newa", "1iio,2k 1,5"],
  ["Nko", "1j4,1n 2,3"],
  ["Nushu", "20o1,1 cy6,b0"],
  ["Ogham", "4g0,t"],
  ["Oriya", "269,3 1,8 2,2 2,m 1,7 1,2 1,5 2,9 2,2 2,3 7,3 4,2 1,5 2,i"],
  ["Osage", "1fhs,10 4,10"],
  ["Osmanya", "1fgg,u 2,a"],
  ["Palmyrene", "1g80,w"],
  ["Phoenician", "1gcg,s 3,1"],
  ["Rejang", "xf4,10 b,1"],
  ["Runic", "4gw,23 3,b"],
  ["Samaritan", "1kw,1a 2,f"],
  ["Saurashtra", "xa8,1y 8,c"],
  ["Sharada", "1i0w,2o"],
  ["Shavian", "1ff4,1c"],
  ["Siddham", "1itc,1i 2,12"],
  ["Sinhala", "2o1,3 1,i 3,o 1,9 1,1 2,7 3,1 4,6 1,1 1,8 6,a 2,3 1fcc,k"],
  ["Sogdian", "1hkg,16"],
  ["Soyombo", "1jrk,2b"],
  ["Sundanese", "5fk,1s 74,8"],
  ["Syriac", "1ds,e 1,1o 2,3 7k,b"],
  ["Tagalog", "4jk,m 9,1"],
  ["Tagbanwa", "4m8,d 1,3 1,2"],
  ["Takri", "1j0g,1m 6,a"],
  ["Tamil", "29u,2 1,6 3,3 1,4 3,2 1,1 1,2 3,2 3,3 3,c 4,5 3,3 1,4 2,1 6,1 e,l 1ih1,1e d,1"],
  ["Tangsa", "1zlc,27 1,a"],
  ["Tangut", "20o0,1 v,4qg 8,lc e8,9"],
  ["Telugu", "2dc,d 1,3 1,n 1,g 2,9 1,3 1,4 7,2 1,3 2,1 2,4 2,a 7,9"],
  ["Thaana", "1hc,1e"],
  ["Thai", "2rl,1m 5,s"],
  ["Tibetan", "2yo,20 1,10 4,13 1,10 1,f 1,7 4,2"],
  ["Tifinagh", "8xc,1k 7,2 e,1"],
  ["Tirhuta", "1im8,20 8,a"],
  ["Toto", "2nbk,v"],
  ["Ugaritic", "1f9c,u 1,1"],
  ["Vai", "wlc,8c"],
  ["Vithkuqi", "1fn4,b 1,f 1,7 1,2 1,b 1,f 1,7 1,2"],
  ["Wancho", "2ncw,1m 5,1"],
  ["Yezidi", "1hfk,16 1,3 2,2"],
  ["Yi", "vls,wd 3,1j"],
]);

/**
 * Pairs of code points that fold to each other: the first of a run, the distance to its partner, the number of
 * such pairs, and the step between them.
 */
export const FOLDED_PAIRS = `
1t,w,a,1 24,w,7,1 2c,w,7,1 5c,w,5,1 5i,w,h,1 60,w,7,1 67,5vj,1,1 73,3d,1,1 74,1,o,2 8i,1,3,2 8p,1,8,2
96,1,n,2 ah,1,3,2 ao,5f,1,1 ap,5u,1,1 aq,1,2,2 au,5q,1,1 av,1,1,2 ax,5p,2,1 az,1,1,1 b2,27,1,1
b3,5m,1,1 b4,5n,1,1 b5,1,1,2 b7,5p,1,1 b8,5r,1,1 b9,2p,1,1 ba,5v,1,1 bb,5t,1,1 bc,1,1,2 be,4j,1,2
bg,5v,1,1 bh,5x,1,1 bi,3m,1,1 bj,5y,1,1 bk,1,3,2 bq,62,1,1 br,1,1,2 bt,62,1,1 bw,1,1,2 by,62,1,1
bz,1,1,2 c1,61,2,1 c3,1,2,2 c7,63,1,1 c8,1,1,1 cc,1,1,1 cf,1k,1,1 ct,1,8,2 da,1,9,2 dw,1,1,1 e0,1,k,2
f6,1,9,2 fu,8bv,1,1 fv,1,1,1 fy,8bs,1,1 fz,8cf,2,1 g1,1,1,1 g4,1x,1,1 g5,1z,1,1 g6,1,5,2 gg,8bj,1,1
gh,8bg,1,1 gi,8bi,1,1 gs,wnj,1,1 gx,wnf,1,1 h1,wmg,1,1 h2,wn8,1,1 h6,wn8,1,1 h7,8af,1,1 h8,wn5,1,1
hd,8al,1,1 hp,89z,1,1 hu,wn7,1,1 hz,wmi,1,1 il,wlx,1,1 im,wlu,1,1 og,1,2,2 om,1,1,1 or,3m,3,1
ov,38,1,1 p2,12,1,2 p4,11,3,1 p8,1s,1,2 pa,1r,2,1 pd,w,2,2 pg,w,2,2 pj,w,1,1 pn,w,2,2 pq,w,2,1
pw,w,2,1 pz,w,2,1 q2,w,2,1 r3,8,1,1 rc,1,c,2 s2,7,1,1 s7,1,1,1 sa,1,1,1 sg,28,g,1 sw,w,2,1 sz,w,2,2
t2,w,8,1 tb,w,2,1 tf,w,7,1 tn,w,5,1 v4,1,1,1 v8,1,f,2 wa,1,r,2 xs,f,1,1 xt,1,7,2 y8,1,1c,2
10x,1c,12,1 3a8,5ls,12,1 3bb,5ls,1,1 3bh,5ls,1,1 3bk,2bk,17,1 3ct,2bk,3,1 3vk,tzk,28,1 3xs,8,6,1
5tl,r9g,1,1 5tp,2xy,1,1 5u6,raw,1,1 5xc,1,1c,2 602,1,q,2 61s,1,1c,2 64g,8,8,1 64w,8,6,1 65c,8,8,1
65s,8,8,1 668,8,6,1 66p,8,4,2 674,8,8,1 67k,22,2,1 67m,2e,4,1 67q,2s,2,1 67s,3k,2,1 67u,34,2,1
67w,3i,2,1 680,8,8,1 68g,8,8,1 68w,8,8,1 69c,8,2,1 69f,9,1,1 69v,9,1,1 6a8,8,2,1 6ao,8,2,1 6at,7,1,1
6b7,9,1,1 6k2,s,1,1 6lc,g,g,1 6mb,1,1,1 792,q,q,1 8ow,1c,1c,1 8rk,1,1,1 8rr,1,3,2 8s2,1,1,1 8s5,1,1,1
8sg,1,1e,2 8vf,1,2,2 8vm,1,1,1 wu8,1,5,2 wuk,1,h,2 ww0,1,e,2 x0i,1,7,2 x0y,1,v,2 x2x,1,2,2 x32,1,5,2
x3f,1,1,1 x3k,1,2,2 x3o,1c,1,2 x3q,1,a,2 x4j,ps,1,1 x4k,1,8,2 x53,1,2,2 x5c,1,1,1 x5i,1,2,2 x6d,1,1,1
1ee9,w,q,1 1fcw,14,14,1 1fhs,14,10,1 1fn4,13,b,1 1fng,13,f,1 1fnw,13,7,1 1fo4,13,2,1 1h1c,1s,1f,1
1jfk,w,w,1 20cg,w,w,1 2olc,y,y,1
`;

/** Groups of three or four code points that fold to each other. */
export const FOLDED_SETS = `
23,2z,6ju 2b,37,an 51,po,qk 5h,6d,6jv ck,cl,cm cn,co,cp cq,cr,cs dt,du,dv n9,pl,qh,69q pe,qa,r4
ph,qd,s5 pk,qg,r5,s4 pm,qi,s0 ps,qo,ra pt,qp,s1 pv,qq,qr py,qu,r9 q1,qx,6jq sy,tu,5mo t0,tw,5mp
ta,u6,5mq td,u9,5mr te,ua,5ms,5mt tm,ui,5mu v6,v7,5mv 5mw,wui,wuj 600,601,61n
`;
