use errare_tables::{*, kings::*, layout::*, material::*, retrograde::*, seeds::*, view::*};
use shakmaty::*;
use std::{collections::HashMap, time::Instant};
struct T { layout: Layout, hist: History, legal: ByColor<Vec<u64>>, by: ByColor<Vec<Known>>}
impl Solved for T { fn layout(&self)->&Layout{&self.layout}
 fn slice(&self, turn: Color, slice: usize, into: &mut Vec<Known>) { let n=self.layout.words()*64; into.extend_from_slice(&self.by.get(turn)[slice*n..][..n]); } }
struct Dtc; impl Timing for Dtc { fn due(&self, p:u16)->std::ops::Range<u32>{ if p==1 {0..1} else {0..0} } fn last(&self)->u16{1} }
struct Dtm(u16); impl Timing for Dtm { fn due(&self, p:u16)->std::ops::Range<u32>{ p as u32-1..p as u32 } fn last(&self)->u16{self.0} }
fn cpu()->f64{ let s=std::fs::read_to_string("/proc/self/stat").unwrap(); let v:Vec<&str>=s.rsplit(')').next().unwrap().split_whitespace().collect(); (v[11].parse::<f64>().unwrap()+v[12].parse::<f64>().unwrap())/100.0}
fn build(m: Material, kings:&Kings, done:&mut HashMap<Material,T>, dtm: bool, top: bool) {
  if m.men()==2 || done.contains_key(&m) {return}
  for s in m.captures() { build(s,kings,done,dtm,false); }
  let layout=Layout::new(m).unwrap();
  let t=Instant::now(); let c=cpu();
  let find=|man:Man| { let (s,sw)=m.without(man); done.get(&s).map(|t| (t as &dyn Solved, sw)) };
  let seeds=seeds(&layout,kings,&find,dtm);
  let c1=cpu();
  let mut last=0; for s in seeds.as_ref() { for k in s.wins.iter().chain(&s.releases) { if let Some((d,_))=k.last_key_value() { last=last.max(*d+1); } } }
  let mut r=Retrograde::new(&layout,kings,&seeds);
  let hist= if dtm { r.run(&seeds,&Dtm(last)) } else { r.run(&seeds,&Dtc) };
  let c2=cpu();
  println!("{m} axis {:?} words {} seeds {:.2} loop {:.2} wall {:.2} plies {} {:?}", layout.axis(), layout.words(), c1-c, c2-c1, t.elapsed().as_secs_f64(), hist.len()-1, r.stats);
  let legal=seeds.map(|s|s.legal);
  let mut by=legal.as_ref().map(|_|vec![]);
  if !top || m.men()<5 { by=ByColor::new_with(|c| { let l=legal.get(c); let mut v=vec![Known{standing:Standing::Broken,depth:0}; l.len()*64];
    for (w,b) in l.iter().enumerate(){ for s in words::Bits(*b) { v[w*64+s as usize].standing=Standing::Drawn; } }
    for (p,ply) in hist.iter().enumerate() { for (st,ps) in [(Standing::Lost,ply.losses.get(c)),(Standing::Won,ply.wins.get(c))] { for (sl,pk) in ps.iter().enumerate() { for (w,b) in pk.iter() { for s in words::Bits(b) { v[(sl*layout.words()+w as usize)*64+s as usize]=Known{standing:st,depth:p as u16}; } } } } }
    v }); }
  for c in [Color::White,Color::Black] { let (mut w,mut l,mut mw,mut ml)=(0u64,0u64,0,0); let mut fold=|ps:&Vec<packed::Packed>|->u64{ ps.iter().enumerate().map(|(_,p)| p.iter().map(|(_,b)|b.count_ones() as u64).sum::<u64>()).sum() };
    for (p,ply) in hist.iter().enumerate() { let a=fold(ply.wins.get(c)); let b=fold(ply.losses.get(c)); if a>0{mw=p} if b>0{ml=p} w+=a;l+=b; }
    println!("   {c:?}: wins {w} max {mw} losses {l} max {ml}"); }
  done.insert(m,T{layout,hist,legal,by});
}
fn main(){ let kings=Kings::pawnless(); println!("{}",kings.slices()); let mut done=HashMap::new();
 let dtm=std::env::args().nth(1).unwrap()=="dtm";
 for a in std::env::args().skip(2) { let m:Material=a.parse().unwrap(); build(m,&kings,&mut done,dtm,true); } 
 println!("{}",std::fs::read_to_string("/proc/self/status").unwrap().lines().filter(|l|l.starts_with("VmHWM")).collect::<String>()); }
