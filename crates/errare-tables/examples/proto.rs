use errare_tables::*;
struct O; impl Observer for O { fn finished(&self, r:&BuildReport) { println!("{} {} solve {:.3} cpu {:.3} store {:.3} cpu {:.3} mem {} bytes {}", r.material, r.metric, r.solving.as_secs_f64(), r.solving_cpu.as_secs_f64(), r.storing.as_secs_f64(), r.storing_cpu.as_secs_f64(), r.peak_memory.unwrap()>>20, r.bytes); } }
fn main(){ let l=Library::new(std::env::args().nth(1).unwrap()); let b=Builder::new(&l,&O,8<<30);
 for a in std::env::args().skip(3) { for m in std::env::args().nth(2).unwrap().split(',') { let t=b.ensure(a.parse().unwrap(), m.parse().unwrap()).unwrap(); println!("{:?}", t.header().counts);} } }
