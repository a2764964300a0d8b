use errare_tables::*;
struct O; impl Observer for O { fn finished(&self, r:&BuildReport) { println!("{} {} solve {:.3} cpu {:.3} store {:.3} cpu {:.3} mem {} bytes {}", r.material, r.metric, r.solving.as_secs_f64(), r.solving_cpu.as_secs_f64(), r.storing.as_secs_f64(), r.storing_cpu.as_secs_f64(), r.peak_memory.unwrap()>>20, r.bytes); } }
fn main(){ let l=Library::new(std::env::args().nth(1).unwrap()); let b=Builder::new(&l,&O,8<<30);
 for a in std::env::args().skip(3) { for m in std::env::args().nth(2).unwrap().split(',') { let t=b.ensure(a.parse().unwrap(), m.parse().unwrap()).unwrap(); if std::env::var("V").is_ok() { v(&l,&t); let s=statistics(&t,Counting::Once,false,&|_,_|()).unwrap(); println!("{:?} {:?}", s.sides.white.deepest, s.zugzwangs); }} } }
#[allow(dead_code)] fn v(l:&Library,t:&Table){ let r=verify(l,t,Extent::Whole,&|_,_|()).unwrap(); println!("{r:?}"); }
